import { isObject } from '../../peer/wire/json.js';
import { fetchJson } from '../../transport/reading/fetch-json.js';
import { isExpiry, type VerifiedToken, wordsOf } from './claims.js';
import { urlOf } from './urls.js';

const TIMEOUT_MS = 5_000;
/** An answer has some hundred bytes. */
const MOST_BYTES = 2 ** 20;

export interface IntrospectionOptions {
  /** The URL of the authorization server's introspection endpoint. */
  readonly introspection: string;
  /** How this server authenticates there (HTTP Basic). */
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * A `verify` for `bearer` that asks the authorization server about each token (RFC 7662). It rejects
 * when the authorization server does not answer within 5 s with 200 and at most 1 MiB: an error or a redirect is no answer.
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

  return (token) => {
    const answer = fetchJson(introspection, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      most: MOST_BYTES,
    });
    return answer.then(tokenIn, (error: unknown) => {
      const { message } = error as Error;
      throw new Error(`Cannot introspect a token at ${introspection}: ${message}`, {
        cause: error,
      });
    });
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
