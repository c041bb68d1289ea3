import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { FastMCP } from 'fastmcp';
import * as z from 'zod';

/** `fastmcp` of npm, which is not the Python project of this name: sessions over HTTP, JSON, without authorization. */
export async function startFastmcp(): Promise<string> {
  const server = new FastMCP({ name: 'fastmcp', version: '1.0.0' });
  server.addTool({
    name: 'plain',
    description: 'A tool',
    parameters: z.object({}),
    execute: () => Promise.resolve('done'),
  });
  const port = await freePort();
  await server.start({
    transportType: 'httpStream',
    httpStream: { port, host: '127.0.0.1', enableJsonResponse: true },
  });
  return `http://127.0.0.1:${port}/mcp`;
}

/** It takes a port, but does not tell which one it got. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const socket = createServer().listen(0, '127.0.0.1', () => {
      const { port } = socket.address() as AddressInfo;
      socket.close(() => resolve(port));
    });
  });
}
