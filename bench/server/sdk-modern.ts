import { createServer, type RequestListener } from 'node:http';

import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

import { listening } from './sessions.js';

/** The SDK alone, without our runtime, for revision 2026-07-28: a server instance for each request. */
export function startSdkModern(): Promise<string> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'sdk', version: '1' });
    server.registerTool('plain', { inputSchema: z.object({}) }, () => ({
      content: [{ type: 'text', text: 'done' }],
    }));
    return server;
  });
  const node = toNodeHandler(handler);
  return listening(createServer(node as RequestListener));
}
