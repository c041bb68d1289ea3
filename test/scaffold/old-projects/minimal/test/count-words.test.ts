import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createHttpHandler } from '@mcp-codegen/runtime/server';
import { createMemoryStore } from '@mcp-codegen/runtime/stores/memory';
import { expect, it, onTestFinished } from 'vitest';
import { createServer } from '../src/server.js';

it('count-words counts words and characters', async () => {
  const server = await createServer(createMemoryStore());
  onTestFinished(() => server.close());
  const identify = () => ({ issuer: 'test', subject: 'ann', client: 'test', scopes: [] });
  const handler = createHttpHandler(server, { identify });
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
    requestInit: { headers: { host: '127.0.0.1' } },
    fetch: (url, init) => handler.fetch(new Request(url, init)),
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  const result = await client.callTool({
    name: 'count-words',
    arguments: { text: 'Good  morning, café' },
  });
  expect(result.structuredContent).toEqual({ words: 3, characters: 19 });
});
