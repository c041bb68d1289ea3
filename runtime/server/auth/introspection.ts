import { isObject } from '../../peer/wire/json.js';
import { isExpiry, type VerifiedToken, wordsOf } from './claims.js';
import { urlOf } from './urls.js';

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

  return async (token) => {
    const response = await fetch(introspection, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`The authorization server answered ${response.status}`);
    }
    return tokenIn(await response.json());
  };
}

/** The token that the authorization server's answer describes (RFC 7662). Undefined for an answer that does not accept it. */
function tokenIn(answer: unknown): VerifiedToken | undefined {
  if (!isObject(answer) || answer['active'] !== true) return undefined;
  const { iss, sub, client_id: clientId, aud, exp, scope = '', cnf } = answer;
  const audience = typeof aud === 'string' ? [aud] : aud;
  if (!isText(iss) || !isText(sub) || !isText(clientId) || !isText(scope)) return undefined;
  if (!Array.isArray(audience) || !audience.every(isText)) return undefined;
  if (!isExpiry(exp)) return undefined;
  return {
    issuer: iss,
    subject: sub,
    clientId,
    audience,
    scopes: wordsOf(scope),
    expiresAt: exp,
    ...(cnf !== undefined && { confirmation: cnf }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
