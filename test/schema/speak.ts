/**
 * A server and a client that speak a revision, over HTTP and a pipe: `tsx test/schema/speak.ts <revision> <recording>`.
 * Writes what they send to the recording, and ends with 1 when they do not settle on the revision.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Transport } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { createTaskClient } from '../../runtime/client/index.js';
import { createTaskServer, defineTool, serveHttp } from '../../runtime/server/index.js';
import { transportTo } from '../support/stdio.js';
import { recorded } from '../validate/recording.js';
import type { Line } from '../validate/recording.js';
import { LONGEST_NAME, NEXT } from './next-revision.js';

const [revision = '', recording = ''] = process.argv.slice(2);
const lines: Line[] = [];

const tools = [
  defineTool({
    name: 'add',
    description: 'Adds two numbers.',
    input: z.object({ a: z.number(), b: z.number() }),
    output: z.object({ sum: z.number() }),
    run: ({ args: { a, b } }) => ({ sum: a + b }),
  }),
  defineTool({
    name: 'slow',
    description: 'Returns a text.',
    input: z.object({ text: z.string() }),
    output: z.object({ text: z.string() }),
    taskSupport: 'required',
    run: ({ args: { text } }) => ({ text }),
  }),
];

async function converse(transport: Transport): Promise<void> {
  const tasks = createTaskClient({ name: 'speak', version: '1' });
  await tasks.connect(recorded(transport, lines));
  assert.equal(tasks.revision, revision);
  const names = (await tasks.tools()).map(({ name }) => name);
  assert.deepEqual(names, ['add', 'slow']);
  const sum = await tasks.call('add', { a: 1, b: 2 });
  assert.deepEqual(sum.structuredContent, { sum: 3 });
  const handle = await tasks.start('slow', { text: 'Hello' });
  assert.deepEqual((await handle.result()).structuredContent, { text: 'Hello' });
  await tasks.close();
}

/** What only the next revision refuses. Not recorded, because it is invalid. */
async function refuseLongName(url: string): Promise<void> {
  const client = new Client(
    { name: 'speak', version: '1' },
    { versionNegotiation: { mode: { pin: revision } } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const call = client.callTool({ name: 'x'.repeat(LONGEST_NAME + 1), arguments: {} });
  await assert.rejects(call, /\/params\/name/);
  await client.close();
}

const server = await createTaskServer({
  name: 'speak',
  version: '1',
  tools,
  onError: () => undefined,
});
const http = await serveHttp(server, { allowUnidentified: true });
await converse(new StreamableHTTPClientTransport(new URL(http.url)));
if (revision === NEXT) await refuseLongName(http.url);
await http.close();
const near = transportTo(server);
await converse(near);
await near.handle.close();
await server.close();
writeFileSync(recording, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
