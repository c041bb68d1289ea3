import * as z from 'zod';

import { isExpiry, type VerifiedToken, wordsOf } from './claims.js';
import { urlOf } from './urls.js';

/** The authorization server's answer about a token that it issued (RFC 7662). */
const answerSchema = () =>
  z.object({
    active: z.literal(true),
    iss: z.string(),
    sub: z.string(),
    client_id: z.string(),
    aud: z.union([z.string().transform((one) => [one]), z.array(z.string())]),
    exp: z.number().refine(isExpiry),
    scope: z.string().default(''),
    cnf: z.unknown().optional(),
  });

const TIMEOUT_MS = 5_000;

export interface IntrospectionOptions {
  /** The URL of the authorization server's introspection endpoint. */
  readonly introspection: string;
  /** How this server authenticates there (HTTP Basic). */
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * A `verify` for `bearer` that asks the authorization server about each token (RFC 7662). It rejects
 * when the authorization server cannot be reached within 5 s or answers with an error.
 */
export function introspect({
  introspection,
  clientId,
  clientSecret,
}: IntrospectionOptions): (token: string) => Promise<VerifiedToken | undefined> {
  urlOf('introspection', introspection);
  const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  // Encoded texts are ASCII, as `btoa` needs it.
  const headers = { authorization: `Basic ${btoa(credentials)}` };

  // Made here, so that bundles of servers that do not introspect drop it.
  const schema = answerSchema();

  return async (token) => {
    const response = await fetch(introspection, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`The authorization server answered ${response.status}`);
    const { data } = schema.safeParse(await response.json());
    return (
      data && {
        issuer: data.iss,
        subject: data.sub,
        clientId: data.client_id,
        audience: data.aud,
        scopes: wordsOf(data.scope),
        expiresAt: data.exp,
        ...(data.cnf !== undefined && { confirmation: data.cnf }),
      }
    );
  };
}
