import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { start } from '../cli/process.js';
import { temporary } from '../client-commands/terminal.js';
import { taskSession } from '../server/clients.js';
import { startHttp } from '../server/process.js';
import type { HttpProcess } from '../server/process.js';
import { tokenOf } from '../server/tokens.js';
import { transportTo } from './recording.js';
import { validateText } from './support.js';

/** Recordings by `record` of a real server, which several clients use at once. */

const INFO = { name: 'test', version: '1' };
const requestInit = { headers: { authorization: `Bearer ${tokenOf('ann')}` } };
let http: HttpProcess;
beforeAll(async () => void (http = await startHttp()), 120_000);
afterAll(() => http.stop());

/** Starts the command; `end` stops it and returns what it recorded. */
async function recorder(target: string) {
  const file = join(temporary(), 'session.jsonl');
  const child = start(['record', '--out', file, target], { cwd: temporary() });
  const ended = once(child, 'close');
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const line of createInterface(child.stderr)) {
    const [, url] = /connect to (\S+)/.exec(line) ?? [];
    if (url === undefined) continue;
    const end = async (): Promise<string> => {
      child.kill('SIGINT');
      await ended;
      return readFileSync(file, 'utf8');
    };
    return { url, end };
  }
  throw new Error('record did not start');
}

/** Uses the tools of the server, in turns with the other clients. */
async function useTools(client: Client | ClientV1): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await client.listTools();
    await client.callTool({ name: 'add', arguments: { a: turn, b: 1 } });
    await client.ping();
  }
}

const sdkV2 = async (url: string): Promise<void> => {
  const client = new Client(INFO);
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  await useTools(client);
  await client.close();
};

const sdkV1 = async (url: string): Promise<void> => {
  const client = new ClientV1(INFO);
  await client.connect(new HttpV1(new URL(url), { requestInit }));
  await useTools(client);
  await client.close();
};

const tasks =
  (mode: 'legacy' | 'auto') =>
  async (url: string): Promise<void> => {
    const session = await taskSession(transportTo('http', url), mode, { name: 'Ann' });
    const options = mode === 'legacy' ? { task: { preference: 'prefer' } as const } : {};
    for (const name of ['wait', 'failing']) {
      const execution = await session.callTool(name, name === 'wait' ? { ms: 20 } : {}, options);
      await execution.settle();
    }
  };

it.each([
  ['two clients of SDK v2', [sdkV2, sdkV2]],
  ['clients of SDK v1 and v2', [sdkV1, sdkV2, sdkV1]],
  ['clients of ext-tasks with and without sessions', [tasks('legacy'), tasks('auto')]],
])('a recording of %s at once has no finding', async (_, clients) => {
  const { url, end } = await recorder(http.url);
  await Promise.all(clients.map((client) => client(url)));
  const text = await end();
  const sessions = text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { session: number }).session);
  expect(new Set(sessions).size).toBeGreaterThanOrEqual(clients.length);
  const changes = sessions.filter((session, index) => session !== sessions[index - 1]);
  expect(changes.length).toBeGreaterThan(clients.length);
  const { findings, counts } = await validateText(text);
  expect(findings.map(({ line, code, message }) => `${String(line)} ${code}: ${message}`)).toEqual(
    [],
  );
  expect(counts.unchecked).toBe(0);
});
