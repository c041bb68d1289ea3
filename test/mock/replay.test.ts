import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mock } from '../../generator/mock/mock.js';
import type { MockServer } from '../../generator/mock/types.js';
import { transportTo } from '../support/stdio.js';
import { exampleServer, recordTo, temporaryFolder } from './support.js';

type AnyTransport = ReturnType<typeof transportTo>;

/** Runs a conversation with the real server while it is recorded, then with a mock of the recording, twice. */
async function compare(talk: (transport: AnyTransport) => Promise<unknown>): Promise<MockServer> {
  const file = join(temporaryFolder(), 'session.jsonl');
  const server = await exampleServer();
  onTestFinished(() => server.close());
  const original = await talk(recordTo(file, transportTo(server)));
  const again = join(temporaryFolder(), 'again.jsonl');
  const played = await mock(file);
  onTestFinished(() => played.close());
  expect(await talk(recordTo(again, played.transport() as never))).toEqual(original);
  // A recording of the mock is as good as the first one.
  const second = await mock(again);
  onTestFinished(() => second.close());
  expect(await talk(second.transport() as never)).toEqual(original);
  expect(readFileSync(file, 'utf8')).toContain('"initialize"');
  return played;
}

describe('a mock of what SDK v1 was answered', () => {
  it('gives the same answers', async () => {
    const played = await compare(async (transport) => {
      const client = new Client(
        { name: 'v1', version: '1' },
        { capabilities: { elicitation: {} } },
      );
      client.setRequestHandler(ElicitRequestSchema, () => ({
        action: 'accept' as const,
        content: { name: 'Ann' },
      }));
      await client.connect(transport);
      const progress: unknown[] = [];
      const seen = [
        client.getServerVersion(),
        client.getServerCapabilities(),
        client.getInstructions(),
        await client.listTools(),
        await client.listPrompts(),
        await client.listResources(),
        await client.readResource({ uri: 'note://today' }),
        await client.getPrompt({ name: 'review', arguments: { code: 'x' } }),
        await client.callTool({ name: 'echo', arguments: { text: 'hi' } }),
        await client.callTool({ name: 'count', arguments: {} }),
        await client.callTool({ name: 'count', arguments: {} }),
        await client.callTool({ name: 'fail', arguments: {} }),
        await client.callTool({ name: 'ask', arguments: {} }, undefined, {
          onprogress: (each) => progress.push(each),
        }),
        await client.callTool({ name: 'missing' }).catch((error: unknown) => String(error)),
        progress,
      ];
      await client.close();
      return seen;
    });
    expect(played.requests.every(({ answeredBy }) => answeredBy === 'recording')).toBe(true);
  });
});
