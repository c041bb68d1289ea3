import type { ServerExchange } from '../guest.js';
import type { MessageExtra } from './transport.js';

/** What a transport of the user said of a message. */
export interface FromSdk {
  readonly extra: MessageExtra | undefined;
}

/** What the guest's handlers get to see of a request: who calls, and the HTTP request. */
export function extraOf({ origin }: ServerExchange): MessageExtra {
  if ('extra' in origin) return (origin as unknown as FromSdk).extra ?? {};
  const { who, http } = origin;
  const caller = who && { authInfo: who };
  if (http === undefined) return { ...caller };
  const head = http.head();
  // The first version of the SDK has the headers, the second one the request.
  return { ...caller, requestInfo: { headers: Object.fromEntries(head.headers) }, request: head };
}
