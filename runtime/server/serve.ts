import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { nodeListener, serveOn } from '../transport/index.js';
import type { HttpOptions, NodeRequest } from './http-options.js';
import { createHttpParts, type HttpParts, reportUnready, warnIfUnidentified } from './http.js';
import { closeServer, listen } from './listen.js';
import type { TaskServer } from './server.js';

export interface ServeHttpOptions extends HttpOptions<NodeRequest> {
  /** Default: any free port. */
  readonly port?: number;
  /** Default: this machine only, 127.0.0.1. */
  readonly host?: string;
}

/**
 * Milliseconds for which an idle connection stays open. Proxies keep theirs for up to a minute: one that sends a request while
 * its connection is being closed answers 502.
 */
const IDLE_MS = 65_000;

export interface HttpHandle {
  readonly url: string;
  /**
   * Refuses new requests, lets those under way finish for `drainMs` (default 5,000), then ends sessions, streams and
   * connections. The task server stays open.
   */
  close(drainMs?: number): Promise<void>;
}

/** Resolves when the server accepts requests. Throws as `createHttpHandler` does, and when the port is in use. */
export async function serveHttp(
  server: TaskServer,
  options: ServeHttpOptions = {},
): Promise<HttpHandle> {
  const { port = 0, host = '127.0.0.1', path = '/mcp' } = options;
  await options.auth?.ready?.();
  const { handler, refused } = createNodeParts(server, options);
  const http = createServer({ keepAliveTimeout: IDLE_MS });
  serveOn(http, handler.handle, refused);
  const origin = await listen(http, { port, host });
  warnIfUnidentified(server, options);
  return {
    url: `${origin}${path}`,
    close: (drainMs) => closeServer(http, () => handler.close(drainMs), drainMs),
  };
}

export interface NodeHandler {
  /**
   * Answers one request of Node's HTTP server, of Express or of Fastify. `parsedBody` is the JSON value that
   * the framework has read. Leave it out when the request's body is unread. Never rejects.
   */
  readonly handle: (
    request: IncomingMessage,
    response: ServerResponse,
    parsedBody?: unknown,
  ) => Promise<void>;
  /**
   * Refuses new requests, lets those under way finish for `drainMs` (default 5,000), then ends sessions and streams. The
   * task server stays open.
   */
  close(drainMs?: number): Promise<void>;
}

/** Throws and reports as `createHttpHandler` does. */
export function createNodeHandler(
  server: TaskServer,
  options: HttpOptions<NodeRequest>,
): NodeHandler {
  const { handler } = createNodeParts(server, options);
  warnIfUnidentified(server, options);
  reportUnready(server, options);
  return handler;
}

export function createNodeParts(
  server: TaskServer,
  options: HttpOptions<NodeRequest>,
): { readonly handler: NodeHandler; readonly refused: HttpParts['refused'] } {
  const { answer, receiving, refused, close } = createHttpParts(server, options);
  const handle = nodeListener({
    answer,
    refused,
    receiving,
    onError: server.onError,
  });
  return { handler: { handle, close }, refused };
}
