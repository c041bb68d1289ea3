import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { JsonObject } from '../../runtime/tasks/index.js';
import { networkTo } from '../server/load.js';
import {
  legacy,
  type Message,
  messagesOf,
  modern,
  modernResponse,
  post,
  type Reachable,
  until,
} from '../server/support.js';
import { startPostgres } from '../support/postgres.js';
import {
  bun,
  deno,
  miniflare,
  missing,
  PLACES,
  type Running,
  start,
  startExample,
} from './places.js';

/** The server where Node is not: one bundle, and on each run-time the same answers over HTTP. */

const problem = missing();
if (problem !== undefined && process.env['CI'] !== undefined) throw new Error(problem);

const ANYBODY = { token: undefined };
const at = (result: JsonObject | undefined, name: string): JsonObject =>
  result?.[name] as JsonObject;

/** Starts a call that becomes a task. */
async function begin(place: Reachable, name: string, args: JsonObject = {}): Promise<string> {
  const params = { name, arguments: args };
  const { result } = await modern(place, 'tools/call', params, ANYBODY);
  expect(result?.['resultType']).toBe('task');
  return result?.['taskId'] as string;
}

/** A task when it has a status. */
async function reaches(place: Reachable, taskId: string, status: string): Promise<JsonObject> {
  const { result = {} } = await until(
    () => modern(place, 'tasks/get', { taskId }, ANYBODY),
    ({ result: task }) => task?.['status'] === status,
  );
  return result;
}

describe.skipIf(problem !== undefined).each(Object.entries(PLACES))(
  `on %s${problem === undefined ? '' : ` (skipped: ${problem})`}`,
  (_, where) => {
    let running: Running | undefined;
    let place: Reachable;
    beforeAll(async () => {
      running = await start(where);
      place = networkTo(running.url);
    });
    afterAll(() => running?.stop());

    it('answers server/discover, tools/list and resources/read', async () => {
      const discovered = await modern(place, 'server/discover', {}, ANYBODY);
      expect(discovered.result?.['supportedVersions']).toEqual(['2026-07-28']);
      const { result } = await modern(place, 'tools/list', {}, ANYBODY);
      const tools = result?.['tools'] as readonly JsonObject[];
      expect(tools.map(({ name }) => name)).toEqual(['echo', 'count', 'ask', 'wait', 'fail']);
      const read = await modern(place, 'resources/read', { uri: 'file:///readme' }, ANYBODY);
      expect(read).toMatchObject({ result: { contents: [{ text: 'Read me' }] } });
    });

    it('answers calls, and those that are wrong or fail', async () => {
      const call = (name: string, args: JsonObject) =>
        modern(place, 'tools/call', { name, arguments: args }, ANYBODY);
      expect((await call('echo', { text: 'Hello' })).result).toMatchObject({
        resultType: 'complete',
        content: [{ type: 'text', text: 'Hello' }],
      });
      expect((await call('echo', { text: 1 })).result).toMatchObject({ isError: true });
      expect((await call('fail', {})).result).toMatchObject({ isError: true });
      expect(await call('unknown', {})).toMatchObject({ error: { code: -32602 } });
    });

    it('refuses what it does not serve', async () => {
      const older = { 'io.modelcontextprotocol/protocolVersion': '1999-01-01' };
      const headers = { 'mcp-protocol-version': '1999-01-01' };
      const version = await modern(place, 'tools/list', { _meta: older }, { ...ANYBODY, headers });
      expect(version).toMatchObject({ status: 400, error: { code: -32022 } });
      expect(await modern(place, 'no/such', {}, ANYBODY)).toMatchObject({
        status: 404,
        error: { code: -32601 },
      });
      const other = { ...ANYBODY, headers: { 'mcp-method': 'tools/call' } };
      expect(await modern(place, 'tools/list', {}, other)).toMatchObject({
        status: 400,
        error: { code: -32020 },
      });
      const { status } = await post(place.http, { id: 1 }, {});
      expect(status).toBe(400);
    });

    it('sends progress before the answer', async () => {
      const params = { name: 'count', arguments: { to: 3 }, _meta: { progressToken: 'p' } };
      const plain = { ...ANYBODY, capabilities: {} };
      const response = await modernResponse(place, 'tools/call', params, plain);
      const heard = [];
      for await (const message of messagesOf(response)) heard.push(message);
      expect(heard.map(({ params: sent }) => sent?.['progress'])).toEqual([1, 2, 3, undefined]);
      expect(heard.at(-1)?.result).toMatchObject({ content: [{ text: 'Counted to 3' }] });
    });

    it('runs a task after the answer to its call', async () => {
      const task = await reaches(place, await begin(place, 'count', { to: 30 }), 'completed');
      expect(at(task, 'result')).toMatchObject({ content: [{ text: 'Counted to 30' }] });
    });

    it('asks for input in a task, and takes it with tasks/update', async () => {
      const taskId = await begin(place, 'ask');
      const waiting = await reaches(place, taskId, 'input_required');
      const [key = ''] = Object.keys(at(waiting, 'inputRequests'));
      const inputResponses = { [key]: { action: 'accept', content: { name: 'Ann' } } };
      await modern(place, 'tasks/update', { taskId, inputResponses }, ANYBODY);
      const task = await reaches(place, taskId, 'completed');
      expect(at(task, 'result')).toMatchObject({ content: [{ text: 'Hello Ann' }] });
    });

    it('cancels a task', async () => {
      const taskId = await begin(place, 'wait');
      await modern(place, 'tasks/cancel', { taskId }, ANYBODY);
      await reaches(place, taskId, 'cancelled');
    });

    it('announces a task to subscriptions/listen', async () => {
      const taskId = await begin(place, 'wait');
      const abort = new AbortController();
      const response = await modernResponse(
        place,
        'subscriptions/listen',
        { notifications: { taskIds: [taskId] } },
        ANYBODY,
        abort.signal,
      );
      const messages = messagesOf(response);
      const first = await messages.next();
      expect((first.value as Message).method).toBe('notifications/subscriptions/acknowledged');
      await modern(place, 'tasks/cancel', { taskId }, ANYBODY);
      for await (const { method, params } of messages) {
        expect(method).toBe('notifications/tasks');
        if (params?.['status'] === 'cancelled') break;
      }
      abort.abort();
    });

    it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])(
      'opens sessions of %s',
      async (revision) => {
        const client = await legacy(place, { ...ANYBODY, revision });
        expect(client.initialized['protocolVersion']).toBe(revision);
        const { result } = await client.request('tools/call', {
          name: 'echo',
          arguments: { text: 'Hello' },
        });
        expect(result).toMatchObject({ content: [{ type: 'text', text: 'Hello' }] });
      },
    );

    it('asks the client of a session, and sends the result of its task', async () => {
      const client = await legacy(place, {
        ...ANYBODY,
        capabilities: { elicitation: {} },
        respond: () => ({ result: { action: 'accept', content: { name: 'Ann' } } }),
      });
      const call = { name: 'ask', arguments: {} };
      const plain = await client.request('tools/call', call);
      expect(plain.result).toMatchObject({ content: [{ text: 'Hello Ann' }] });
      const { result } = await client.request('tools/call', { ...call, task: {} });
      const { taskId } = at(result, 'task');
      const ended = await client.request('tasks/result', { taskId });
      expect(ended.result).toMatchObject({ content: [{ text: 'Hello Ann' }] });
    });
  },
);

/** A worker outside of Durable Objects. */
function alone({ http }: Reachable): Reachable {
  return {
    http: {
      fetch(request, signal) {
        request.headers.set('x-alone', 'yes');
        return http.fetch(request, signal);
      },
    },
  };
}

describe.skipIf(problem !== undefined)('on workerd without a Durable Object', () => {
  let running: Running | undefined;
  let place: Reachable;
  beforeAll(async () => {
    running = await start(PLACES.workerd);
    place = alone(networkTo(running.url));
  });
  afterAll(() => running?.stop());

  it('answers requests at the same time', async () => {
    const params = { name: 'count', arguments: { to: 20 } };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => modern(place, 'tools/call', params, ANYBODY)),
    );
    for (const { result } of answers) {
      expect(result).toMatchObject({ content: [{ text: 'Counted to 20' }] });
    }
  });

  it('asks for input in several rounds of a call', async () => {
    const params = { name: 'ask', arguments: {} };
    const { result } = await modern(place, 'tools/call', params, ANYBODY);
    expect(result?.['resultType']).toBe('input_required');
    const [key = ''] = Object.keys(at(result, 'inputRequests'));
    const inputResponses = { [key]: { action: 'accept', content: { name: 'Ann' } } };
    const { requestState } = result ?? {};
    const again = await modern(
      place,
      'tools/call',
      { ...params, inputResponses, requestState },
      ANYBODY,
    );
    expect(again.result).toMatchObject({ content: [{ text: 'Hello Ann' }] });
  });

  it('opens no sessions where none are offered', async () => {
    await expect(legacy(place, ANYBODY)).rejects.toThrow('Unsupported protocol version');
    const { status } = await place.http.fetch(new Request('http://localhost/mcp'));
    expect(status).toBe(405);
  });
});

const RUN = { Deno: () => [deno(), 'run', '--allow-all'], Bun: () => [bun(), 'run'] };

describe.skipIf(problem !== undefined).each(Object.entries(RUN))(
  '%s runs the server for Node, whose tasks outlive the process',
  (_, command) => {
    async function taskOf(...args: readonly string[]): Promise<JsonObject> {
      const [program = '', ...flags] = command();
      const file = fileURLToPath(new URL('server/stores.js', import.meta.url));
      const { stdout } = await promisify(execFile)(program, [...flags, file, ...args]);
      return JSON.parse(stdout) as JsonObject;
    }

    async function outlives(...store: readonly string[]): Promise<void> {
      const task = await taskOf(...store);
      expect(task).toMatchObject({ status: 'completed', result: { content: [{ text: 'done' }] } });
      expect(await taskOf(...store, String(task['taskId']))).toEqual(task);
    }

    it('in SQLite', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-edge-'));
      try {
        await outlives('sqlite', join(folder, 'tasks.db'));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });

    it('in PostgreSQL', async () => {
      const postgres = await startPostgres();
      try {
        const database = await postgres.newDatabase();
        await outlives('postgres', database.url);
      } finally {
        await postgres.stop();
      }
    });
  },
);

describe.skipIf(problem !== undefined)('the examples of docs/deploying.md', () => {
  const page = readFileSync(new URL('../../docs/deploying.md', import.meta.url), 'utf8');
  const examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text);
  const [first = '', durable = ''] = examples;

  it.each<[string, (file: string, port: string) => Promise<readonly string[]>]>([
    ['workerd', (file, port) => miniflare(file, port)],
    ['Deno', (file, port) => Promise.resolve([deno(), 'serve', '--port', port, file])],
    ['Bun', (file) => Promise.resolve([bun(), 'run', file])],
  ])('the first one runs on %s', async (_, command) => {
    const running = await startExample(first, command);
    try {
      const params = { name: 'greet', arguments: { name: 'Ann' } };
      const { result } = await modern(networkTo(running.url), 'tools/call', params, ANYBODY);
      expect(result).toMatchObject({ content: [{ text: 'Hello Ann' }] });
    } finally {
      await running.stop();
    }
  });

  it('the one for a Durable Object has tasks and sessions', async () => {
    const running = await startExample(durable, (file, port) =>
      miniflare(file, port, 'SHOP', 'Shop'),
    );
    try {
      const place = networkTo(running.url);
      const task = await reaches(place, await begin(place, 'report'), 'completed');
      expect(at(task, 'result')).toMatchObject({ content: [{ text: 'Everything is sold' }] });
      expect((await legacy(place, ANYBODY)).sessionId).not.toBe('');
    } finally {
      await running.stop();
    }
  });
});
