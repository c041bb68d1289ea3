import { discard, startOf } from './body.js';
import { challengeIn } from './challenge.js';
import { HttpError, InsufficientScope } from './errors.js';

export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Gives the requests of a connection their token. `createLogins` of `client/node` makes one. */
export interface AuthProvider {
  /** The bearer token of the next request. */
  token(): Promise<string | undefined>;
  /** The server has refused the token (401). The request is sent once more, unless this rejects. */
  onUnauthorized?(): Promise<void>;
}

/** Of connections over HTTP. */
export interface HttpOptions {
  /** Default: the global one. That of `client/node` is faster. */
  readonly fetch?: FetchLike;
  /** Further headers of each request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly authProvider?: AuthProvider;
  /** Bytes of a body, or of one event of a stream, after decompression. Default 10 MiB. */
  readonly maxMessageBytes?: number;
}

export const DEFAULT_MESSAGE_BYTES = 10 * 1024 * 1024;

export interface Sent {
  readonly method: 'POST' | 'GET' | 'DELETE';
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/**
 * Sends a request, with its token. Resolves with an answer of success. Follows a redirect within the origin that keeps the
 * method, and no other, because tokens and messages are for the address that was given.
 *
 * Rejects with an `HttpError`, and as `fetch` does.
 */
export async function request(
  url: URL,
  options: HttpOptions,
  sent: Sent,
  isRepeated = false,
): Promise<Response> {
  const { authProvider, fetch: send = fetch } = options;
  const token = await authProvider?.token();
  const headers = {
    ...lowerCased(options.headers),
    ...sent.headers,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const response = await withinOrigin(send, url, { ...sent, headers });
  if (response.ok) return response;
  const { status } = response;
  if (status === 401 && authProvider?.onUnauthorized && !isRepeated) {
    await discard(response);
    await authProvider.onUnauthorized();
    return request(url, options, sent, true);
  }
  const { error, scope } = status === 403 ? challengeIn(response) : {};
  const text = await startOf(response);
  if (error === 'insufficient_scope') throw new InsufficientScope(scope);
  throw new HttpError(status, text, redirectOf(url, response));
}

function lowerCased(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

const MOST_REDIRECTS = 5;

async function withinOrigin(send: FetchLike, url: URL, init: RequestInit): Promise<Response> {
  let at = url;
  for (let followed = 0; ; followed += 1) {
    const response = await send(at, { ...init, redirect: 'manual' }).catch((error: unknown) => {
      throw isBadPort(error) ? refusedPort(at) : error;
    });
    const target = targetOf(at, response);
    if (target === undefined || followed === MOST_REDIRECTS) return response;
    const keepsMethod = init.method === 'GET' || response.status >= 307;
    if (!keepsMethod || !isWithin(at, target)) return response;
    await discard(response);
    at = target;
  }
}

function targetOf(url: URL, { status, headers }: Response): URL | undefined {
  const location = [301, 302, 303, 307, 308].includes(status) ? headers.get('location') : null;
  return location !== null && URL.canParse(location, url.href) ? new URL(location, url) : undefined;
}

/** Whether an address has the origin of another one, or is its https form. */
function isWithin(from: URL, to: URL): boolean {
  if (from.username !== to.username || from.password !== to.password) return false;
  if (from.origin === to.origin) return true;
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:';
  return isUpgrade && from.hostname === to.hostname && from.port === '' && to.port === '';
}

function redirectOf(url: URL, response: Response): string | undefined {
  if (response.type === 'opaqueredirect') {
    return 'The server redirects to another address. Use that one, if you trust it';
  }
  const target = targetOf(url, response);
  if (target === undefined) return undefined;
  // They may hold secrets.
  target.username = target.password = target.search = target.hash = '';
  return `The server redirects to ${target.href} (HTTP ${String(response.status)}). Use that address, if you trust it`;
}

/** Browsers and Node.js refuse some ports with this reason alone, before they connect. */
function isBadPort(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && cause.message === 'bad port';
}

function refusedPort({ port }: URL): Error {
  return new TypeError(
    `fetch refuses port ${port}, as browsers do. Let the server listen at another port`,
  );
}
