import { PassThrough } from 'node:stream';
import { serveLines } from '../../runtime/transport/index.js';
import type { AnyServed } from './served.js';
import type { MockTransport } from './types.js';

/** A connection in this process, over which both sides send lines of JSON, as over stdio. */
export function memoryTransport(
  served: AnyServed,
  onError: (error: unknown) => void,
): MockTransport {
  const toServer = new PassThrough();
  const toClient = new PassThrough();
  const lines = serveLines({
    served,
    source: toServer,
    target: toClient,
    who: undefined,
    onTooSlow: () => undefined,
    onError,
  });
  let isClosed = false;
  let rest = '';

  function end(): void {
    if (isClosed) return;
    isClosed = true;
    toServer.end();
    transport.onclose?.();
  }

  const transport: MockTransport = {
    start() {
      toClient.setEncoding('utf8').on('data', (chunk: string) => {
        const all = (rest + chunk).split('\n');
        rest = all.pop() ?? '';
        for (const line of all) transport.onmessage?.(JSON.parse(line) as object);
      });
      void lines.closed.then(end);
      return Promise.resolve();
    },
    send(message) {
      toServer.write(`${JSON.stringify(message)}\n`);
      return Promise.resolve();
    },
    close() {
      end();
      return lines.close();
    },
  };
  return transport;
}
