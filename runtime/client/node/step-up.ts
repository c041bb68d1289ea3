import { challengeIn, type FetchLike } from '../index.js';
import type { LoginProvider, StepUp } from './logins.js';

export interface StepUpOptions extends Omit<StepUp, 'signal'> {
  /** For the requests themselves. Default: the global one. */
  readonly fetch?: FetchLike;
}

/**
 * A `fetch` for connections over HTTP, for a login with `provider`: when a server answers that a request needs more
 * scopes (403, `insufficient_scope`), the user logs in again with these as well, and the request is sent once more. The
 * signal of the request, which closing the transport aborts, ends the login. Rejects with a `LoginError` when the
 * authorization server refuses, or the signal is aborted.
 */
export function stepUpFetch(provider: LoginProvider, options: StepUpOptions): FetchLike {
  const { fetch: send = fetch, ...how } = options;
  return async (url, init = {}) => {
    const response = await send(url, init);
    if (response.status !== 403) return response;
    const { error, scope } = challengeIn(response);
    if (error !== 'insufficient_scope' || scope === undefined) return response;
    const { signal } = init;
    if (!(await provider.stepUp(scope, { ...how, ...(signal && { signal }) }))) return response;
    await response.body?.cancel();
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${(await provider.token()) ?? ''}`);
    return send(url, { ...init, headers });
  };
}
