import { METHODS } from '../../protocol.js';
import { bytesOf } from '../../transport/reading/fetch-json.js';
import { type Challenge, challengeIn, type FetchLike } from '../index.js';
import { LoginError } from './login-error.js';

/** Bytes of a document of an authorization server. */
const MOST = 1024 * 1024;
/** Milliseconds for one request to an authorization server. */
const TIMEOUT = 30_000;

/**
 * A `fetch` for requests of logins, bounded in size and time. Documents may have moved: they name their issuer, which is
 * compared. What is posted is secret, and goes to no other address.
 */
export function loginFetch(base: FetchLike = fetch): FetchLike {
  return async (url, init) => {
    const timeout = AbortSignal.timeout(TIMEOUT);
    const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    const isPosted = init?.method?.toUpperCase() === 'POST';
    const redirect = isPosted ? 'manual' : 'follow';
    const response = await base(url, { ...init, signal, redirect });
    const { status, headers } = response;
    const body = response.body && (await bytesOf(response, MOST));
    return new Response(body as Uint8Array<ArrayBuffer> | null, { status, headers });
  };
}

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: METHODS.ping });

export async function challengeOf(server: string, fetchFn: FetchLike): Promise<Challenge> {
  const accept = 'application/json, text/event-stream';
  const headers = { 'content-type': 'application/json', accept };
  const response = await fetchFn(server, {
    ...{ method: 'POST', headers, body: PING },
  });
  await response.body?.cancel();
  return response.status === 401 ? challengeIn(response) : {};
}

/** Refuses addresses at which others could read tokens. Throws a `LoginError`. */
export function assertPrivate(address: string, what: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:') return url;
  if (url?.protocol === 'http:' && LOOPBACK.test(url.hostname)) return url;
  throw new LoginError(`${what} is ${address}, which is not an https address`);
}

/** An endpoint that the SDK's type of the metadata does not have. */
export function endpointOf(metadata: object | undefined, name: string): string | undefined {
  const endpoint = (Object(metadata) as Record<string, unknown>)[name];
  return typeof endpoint === 'string' ? endpoint : undefined;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
