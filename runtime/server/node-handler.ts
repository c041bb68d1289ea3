import type { IncomingMessage, ServerResponse } from 'node:http';

import { nodeListener } from '../transport/index.js';
import { createHttpParts, type HttpParts, reportUnready, warnIfUnidentified } from './http.js';
import type { HttpOptions } from './http-options.js';
import type { NodeRequest } from './identify.js';
import type { TaskServer } from './server.js';

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
  /** Ends sessions and streams. The task server stays open. */
  close(): Promise<void>;
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
