import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { serveStdio } from '@mcp-codegen/runtime/server';
import { createMemoryStore } from '@mcp-codegen/runtime/stores/memory';
import { expect, it, onTestFinished } from 'vitest';
import { createServer } from '../src/server.minimal.js';

it('count-words counts words and characters', async () => {
  const server = await createServer(createMemoryStore());
  onTestFinished(() => server.close());
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  serveStdio(server, serverSide);
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(clientSide);
  const result = await client.callTool({
    name: 'count-words',
    arguments: { text: 'Good  morning, café' },
  });
  expect(result.structuredContent).toEqual({ words: 3, characters: 19 });
});
