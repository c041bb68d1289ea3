import type { Readable, Writable } from 'node:stream';
import { serveLines } from '../../runtime/transport/index.js';
import type { MockServed } from './served.js';

/** Serves one client over two streams. Resolves when it has disconnected. */
export function serveMockLines(
  served: MockServed,
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
    onError,
  });
}
