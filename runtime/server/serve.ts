import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { HttpHandler, HttpOptions } from './http.js';
import { refuseTunnels } from './node.js';
import { createNodeParts } from './node-handler.js';
import type { TaskServer } from './server.js';

export interface ServeHttpOptions extends HttpOptions {
  /** Default: any free port. */
  readonly port?: number;
  /** Default: this machine only, 127.0.0.1. */
  readonly host?: string;
}

export interface HttpHandle extends Pick<HttpHandler, 'notify'> {
  readonly url: string;
  /** Refuses new requests and ends sessions and streams. The task server stays open. */
  close(): Promise<void>;
}

/** Resolves when the server accepts requests. Throws as `createHttpHandler` does, and when the port is in use. */
export async function serveHttp(
  server: TaskServer,
  options: ServeHttpOptions = {},
): Promise<HttpHandle> {
  const { port = 0, host = '127.0.0.1', path = '/mcp' } = options;
  const { handler, refused } = createNodeParts(server, options);
  const http = createServer((request, response) => void handler.handle(request, response));
  refuseTunnels(http, refused);
  await listening(http, port, host);
  const address = http.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    notify: handler.notify,
    url: `http://${name}:${address.port}${path}`,
    async close() {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      await handler.close();
      http.closeIdleConnections();
      // A client that stops reading does not delay shutdown.
      const impatience = setTimeout(() => http.closeAllConnections(), 1_000);
      await closed;
      clearTimeout(impatience);
    },
  };
}

function listening(http: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, () => {
      http.off('error', reject);
      resolve();
    });
  });
}
