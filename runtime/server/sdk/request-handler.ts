import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';

import type { ConnectedServer } from './connected-server.js';
import { withoutPayload } from './error-text.js';

export interface RequestHandlerOptions {
  readonly maxSubscriptions: number;
  readonly maxBodyBytes: number;
  readonly keepAliveMs: number;
  readonly onError: (error: Error) => void;
}

/** Streamable HTTP of revision 2026-07-28, which makes a server for each request. */
export function createRequestHandler(
  connect: () => ConnectedServer,
  { maxSubscriptions, maxBodyBytes, keepAliveMs, onError }: RequestHandlerOptions,
): McpHttpHandler {
  return createMcpHandler(connect, {
    legacy: 'reject',
    maxSubscriptions,
    maxRequestBodySize: maxBodyBytes,
    keepAliveMs,
    onerror(error) {
      // The fault of a client, which gets the refusal as its answer.
      if (!error.message.startsWith('Rejected inbound request')) onError(withoutPayload(error));
    },
  });
}

/** Whether a request is of a revision up to 2025-11-25, and so of a session. */
export function isOfSession(request: Request, body: unknown): Promise<boolean> {
  return isLegacyRequest(request, body);
}
