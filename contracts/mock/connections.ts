import { PassThrough } from 'node:stream';
import {
  type HttpHandle,
  serveHttp,
  serveStdio,
  type TaskServer,
} from '../../runtime/server/index.js';
import type { MockTransport } from './types.js';

/** Names by which a server on this machine may be called. */
const LOCAL = ['localhost', '127.0.0.1', '[::1]'];
const MOST_BODY = 32 * 2 ** 20;
/** Everyone who can connect is the same caller. */
const CALLER = { issuer: 'mock', subject: 'anybody', client: 'anybody', scopes: [] };

/** Serves a mock over Streamable HTTP. Rejects with a `ListenError` when the port is in use. */
export function serveMockHttp(
  server: TaskServer,
  options: { readonly port: number; readonly host: string },
): Promise<HttpHandle> {
  return serveHttp(server, {
    ...options,
    identify: () => CALLER,
    allowedHosts: [...LOCAL, options.host],
    maxBodyBytes: MOST_BODY,
  });
}

/** A connection in this process, over which both sides send lines of JSON, as over stdio. */
export function memoryTransport(server: TaskServer): MockTransport {
  const [source, target] = [new PassThrough(), new PassThrough()];
  const connection = serveStdio(server, { source, target });
  let rest = '';
  const transport: MockTransport = {
    start() {
      target.setEncoding('utf8').on('data', (chunk: string) => {
        const all = (rest + chunk).split('\n');
        rest = all.pop() ?? '';
        for (const line of all) transport.onmessage?.(JSON.parse(line) as object);
      });
      void connection.closed.then(() => transport.onclose?.());
      return Promise.resolve();
    },
    send(message) {
      source.write(`${JSON.stringify(message)}\n`);
      return Promise.resolve();
    },
    close: () => connection.close(0),
  };
  return transport;
}
