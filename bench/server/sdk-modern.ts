import { createServer, type RequestListener } from 'node:http';

import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';

import { sdkServer } from './sdk-server.js';
import { listening } from './sessions.js';

/** The SDK alone, without our runtime, for revision 2026-07-28: a server instance for each request. */
export function startSdkModern(): Promise<string> {
  const handler = createMcpHandler(() =>
    sdkServer({ isModern: true, updated: (uri) => handler.notify.resourceUpdated(uri) }),
  );
  return listening(createServer(toNodeHandler(handler) as RequestListener));
}
