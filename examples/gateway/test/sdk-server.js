import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

/** A server of the official SDK with the tool of `src/words-server.ts`. */
serveStdio(() => {
  const server = new McpServer({ name: 'words', version: '1.0.0' });
  const config = {
    description: 'Counts the words of a text.',
    inputSchema: z.object({ text: z.string() }),
    outputSchema: z.object({ words: z.number() }),
  };
  server.registerTool('count-words', config, ({ text }) => {
    const structuredContent = { words: text.split(/\s+/).filter(Boolean).length };
    const content = [{ type: 'text', text: JSON.stringify(structuredContent) }];
    return { content, structuredContent };
  });
  return server;
});
