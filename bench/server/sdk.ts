import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

/** What ours is built on, with nothing on it: sessions and a tool that answers from memory. */
export async function startSdk(): Promise<string> {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();

  async function begin(): Promise<NodeStreamableHTTPServerTransport> {
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
  }

  const http = createServer((request, response) => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    void (async () => (known ?? (await begin())).handleRequest(request, response))();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}
