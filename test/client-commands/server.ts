import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

/** A server without tasks, as most are. */
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
  const data = Buffer.from('a picture').toString('base64');
  server.registerTool('draw', { description: 'Draws' }, () => ({
    content: [
      { type: 'text', text: 'Here it is.' },
      { type: 'image', mimeType: 'image/png', data },
      { type: 'resource', resource: { uri: 'file:///../../etc/passwd', blob: data } },
    ],
  }));
  server.registerResource('notes', 'note://today', { description: 'Notes' }, (uri) => ({
    contents: [{ uri: uri.href, text: 'Buy \u001b[2Jmilk' }],
  }));
  server.registerPrompt(
    'review',
    {
      description: 'Reviews',
      argsSchema: z.object({ code: z.string(), tone: z.string().optional() }),
    },
    ({ code }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Review ${code}` } }],
    }),
  );
  return server;
});
