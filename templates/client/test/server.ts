import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

/** A server without tasks: most are. */
serveStdio(() => {
  const server = new McpServer({ name: 'test', version: '1.0.0' });
  server.registerTool(
    'greet',
    {
      description: 'Greets \u001b[31mloudly',
      inputSchema: z.object({ name: z.string(), times: z.int().optional() }),
    },
    ({ name, times = 1 }) => ({
      content: [{ type: 'text', text: `Hello, ${name}! `.repeat(times).trim() }],
    }),
  );
  server.registerTool('fail', { description: 'Fails' }, () => ({
    content: [{ type: 'text', text: 'as it \u001b[2Jshould' }],
    isError: true,
  }));
  return server;
});
