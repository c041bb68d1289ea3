import { randomUUID } from 'node:crypto';

import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

import { serveSessions } from './sessions.js';

/** The SDK alone, without our runtime: sessions and a tool that answers from memory. */
export function startSdk(): Promise<string> {
  return serveSessions<NodeStreamableHTTPServerTransport>(async (sessions) => {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    const server = new McpServer({ name: 'sdk', version: '1' });
    server.registerTool('plain', { inputSchema: z.object({}) }, () => ({
      content: [{ type: 'text', text: 'done' }],
    }));
    await server.connect(transport);
    return transport;
  });
}
