import { createServer } from 'node:http';

import { refuseTunnels } from '../transport/index.js';
import { warnIfUnidentified } from './http.js';
import type { HttpOptions } from './http-options.js';
import type { NodeRequest } from './identify.js';
import { closeServer, listen } from './listen.js';
import { createNodeParts } from './node-handler.js';
import type { TaskServer } from './server.js';

export interface ServeHttpOptions extends HttpOptions<NodeRequest> {
  /** Default: any free port. */
  readonly port?: number;
  /** Default: this machine only, 127.0.0.1. */
  readonly host?: string;
}

export interface HttpHandle {
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
  await options.auth?.ready?.();
  const { handler, refused } = createNodeParts(server, options);
  const http = createServer((request, response) => void handler.handle(request, response));
  refuseTunnels(http, refused);
  const origin = await listen(http, { port, host });
  warnIfUnidentified(server, options);
  return {
    url: `${origin}${path}`,
    close: () => closeServer(http, () => handler.close()),
  };
}
