import { extractWWWAuthenticateParams, type FetchLike } from '@modelcontextprotocol/client';
import type { LoginProvider } from './logins.js';

export interface StepUpOptions {
  /** Gets the address of the login page, and the user opens it in a browser on this machine. */
  readonly show: (address: URL) => void;
  /** For the requests themselves. Default: the global one. */
  readonly fetch?: FetchLike;
}

/**
 * A `fetch` for the SDK's HTTP transports, for a login with `provider`: when a server answers that a request needs more
 * scopes (403, `insufficient_scope`), the user logs in again with these as well, and the request is sent once more.
 * Rejects with a `LoginError` when the user refuses.
 */
export function stepUpFetch(provider: LoginProvider, options: StepUpOptions): FetchLike {
  const { show, fetch: send = fetch } = options;
  return async (url, init = {}) => {
    const response = await send(url, init);
    if (response.status !== 403) return response;
    const { error, scope } = extractWWWAuthenticateParams(response);
    if (error !== 'insufficient_scope' || scope === undefined) return response;
    await response.body?.cancel();
    await provider.stepUp(scope, show);
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${(await provider.token()) ?? ''}`);
    return send(url, { ...init, headers });
  };
}
