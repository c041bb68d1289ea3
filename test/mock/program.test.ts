import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { expect, it, onTestFinished } from 'vitest';
import { mock } from '../../contracts/index.js';
import { createTaskClient } from '../../runtime/client/index.js';
import { INFO } from '../server/clients.js';
import { transportTo } from '../support/stdio.js';
import { exampleServer } from './example-server.js';
import { recordTo, temporaryFolder } from './support.js';
import { TALKS } from './talks.js';

async function recording(): Promise<string> {
  const file = join(temporaryFolder(), 'session.jsonl');
  const server = await exampleServer();
  onTestFinished(() => server.close());
  await TALKS['SDK v1']?.(recordTo(file, transportTo(server)) as never);
  return file;
}

it('connects every client, by the types that they have', async () => {
  await using server = await mock(await recording());
  const v1 = new ClientV1(INFO);
  const v2 = new ClientV2(INFO);
  const ours = createTaskClient(INFO);
  await v1.connect(server.transport());
  await v2.connect(server.transport());
  await ours.connect(server.transport());
  const names = (await ours.tools()).map(({ name }) => name);
  expect((await v1.listTools()).tools.map(({ name }) => name)).toEqual(names);
  expect((await v2.listTools()).tools.map(({ name }) => name)).toEqual(names);
  await Promise.all([v1.close(), v2.close(), ours.close()]);
});

it('ends the connections of its clients when it is closed', async () => {
  const server = await mock(await recording());
  const client = new ClientV1(INFO);
  await client.connect(server.transport());
  const closed = new Promise<void>((resolve) => (client.onclose = resolve));
  await server.close();
  await closed;
  await expect(fetch(server.url)).rejects.toThrow();
});

it('names its command, and the requests that it got', async () => {
  const file = await recording();
  await using server = await mock(file, { seed: 7, strict: true });
  expect(server.command.slice(2)).toEqual([
    'mock',
    file,
    '--speed',
    'instant',
    '--seed',
    '7',
    '--strict',
  ]);
  const client = new ClientV1(INFO);
  await client.connect(server.transport());
  await client.ping();
  await expect(client.callTool({ name: 'other' })).rejects.toThrow('tools/call other');
  expect(server.requests.map(({ method, answeredBy }) => [method, answeredBy])).toEqual([
    ['initialize', 'recording'],
    ['ping', 'mock'],
    ['tools/call', 'nothing'],
  ]);
});

it.each([
  [{ speed: 0 }, 'speed'],
  [{ speed: Number.NaN }, 'speed'],
  [{ seed: 0.5 }, 'seed'],
])('refuses the options %j', async (options, message) => {
  const file = join(temporaryFolder(), 'x.jsonl');
  writeFileSync(file, '');
  await expect(mock(file, options)).rejects.toThrow(message);
});

it('refuses to serve nothing', async () => {
  await expect(mock(undefined)).rejects.toThrow('the path of a recording');
});

it('waits as long as the recorded server, times the speed', async () => {
  const lines = [
    [0, '>', { id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } }],
    [
      0,
      '<',
      { id: 0, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: INFO } },
    ],
    [1_000, '>', { id: 1, method: 'tools/call', params: { name: 'slow' } }],
    [61_000, '<', { id: 1, result: { content: [] } }],
    [70_000, '>', { id: 2, method: 'tools/call', params: { name: 'quick' } }],
    [70_000, '<', { id: 2, result: { content: [] } }],
  ] as const;
  const file = join(temporaryFolder(), 'session.jsonl');
  const records = lines.map(([ms, way, message]) => ({
    time: new Date(ms).toISOString(),
    direction: way === '>' ? 'client->server' : 'server->client',
    message: { jsonrpc: '2.0', ...message },
  }));
  writeFileSync(file, records.map((each) => JSON.stringify(each)).join('\n'));
  await using server = await mock(file, { speed: 600 });
  const client = new ClientV1(INFO);
  await client.connect(server.transport());
  const order: string[] = [];
  const call = async (name: string): Promise<void> => {
    await client.callTool({ name });
    order.push(name);
  };
  await Promise.all([call('slow'), call('quick')]);
  expect(order).toEqual(['quick', 'slow']);
});
