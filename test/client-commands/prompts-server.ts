import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

/** A server with a prompt and no tools, which it does not declare. */
serveStdio(() => {
  const server = new McpServer({ name: 'prompts', version: '1.0.0' });
  server.registerPrompt('review', { description: 'Reviews' }, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Review' } }],
  }));
  return server;
});
