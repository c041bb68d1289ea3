import type { Readable, Writable } from 'node:stream';
import { serveLines } from '../../runtime/transport/index.js';
import { isObject } from '../../runtime/peer/wire/json.js';
import type { AnyServed } from './served.js';

/** Serves one client over two streams. Resolves when it has disconnected. */
export function serveMockLines(
  served: AnyServed,
  source: Readable,
  target: Writable,
  onError: (error: unknown) => void,
): { readonly closed: Promise<void>; close(): Promise<void> } {
  return serveLines({
    served,
    source,
    target,
    who: undefined,
    onTooSlow: () => undefined,
    onError: (error) => {
      if (!hasLeft(error)) onError(error);
    },
  });
}

/** Whether the client has closed its end, which is no problem of the mock. */
function hasLeft(error: unknown): boolean {
  return isObject(error) && error['code'] === 'EPIPE';
}
