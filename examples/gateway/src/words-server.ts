import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

/** A server of the official SDK, to try the gateway with. */
serveStdio(() => {
  const server = new McpServer({ name: 'words', version: '1.0.0' });
  server.registerTool(
    'count-words',
    {
      description: 'Counts the words of a text.',
      inputSchema: z.object({ text: z.string() }),
      outputSchema: z.object({ words: z.number() }),
    },
    ({ text }) => {
      const structuredContent = { words: text.split(/\s+/).filter(Boolean).length };
      return {
        content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
        structuredContent,
      };
    },
  );
  return server;
});
