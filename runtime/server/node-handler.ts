import type { IncomingMessage, ServerResponse } from 'node:http';

import {
  createHttpParts,
  DEFAULT_MAX_BODY,
  type HttpHandler,
  type HttpParts,
  reportUnready,
  warnIfUnidentified,
} from './http.js';
import type { HttpOptions } from './http-options.js';
import type { NodeRequest } from './identify.js';
import { nodeListener } from './node.js';
import { KEEP_ALIVE_MS, withoutPayload } from './sdk/index.js';
import type { TaskServer } from './server.js';

export interface NodeHandler extends Pick<HttpHandler, 'notify' | 'close'> {
  /**
   * Answers one request of Node's HTTP server, of Express or of Fastify. `parsedBody` is the JSON value that
   * the framework has read. Leave it out when the request's body is unread. Never rejects.
   */
  readonly handle: (
    request: IncomingMessage,
    response: ServerResponse,
    parsedBody?: unknown,
  ) => Promise<void>;
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

/** Without the door the SDK answers every request, with the same answers. */
export function createNodeParts(
  server: TaskServer,
  options: HttpOptions<NodeRequest>,
  withDoor = true,
): { readonly handler: NodeHandler; readonly refused: HttpParts['refused'] } {
  const parts = createHttpParts(server, options, withDoor);
  const { handler, answerTo, backlog, receiving, onTooSlow, refused } = parts;
  const { auth } = options;
  const handle = nodeListener({
    serve: answerTo,
    refused,
    backlog,
    receiving,
    onTooSlow,
    keepAliveMs: options.keepAliveMs ?? KEEP_ALIVE_MS,
    maxBodyBytes: options.maxBodyBytes ?? DEFAULT_MAX_BODY,
    readsFirst: auth !== undefined && !(auth.authenticateHeader && auth.metadataPath !== undefined),
    onError: (error) => server.onError(withoutPayload(error)),
  });
  return { handler: { notify: handler.notify, close: () => handler.close(), handle }, refused };
}
