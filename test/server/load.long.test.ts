import { setImmediate as turn } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';

import { META_KEYS } from '../../generated/2026-07-28/protocol.js';
import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import {
  createTaskServer,
  defineTool,
  type HttpHandle,
  serveHttp,
  type TaskServer,
} from '../../runtime/server/index.js';
import { at } from '../../runtime/peer/wire/json.js';
import { collect, growth, heap, MIB, networkTo, stalled } from './load.js';
import {
  legacy,
  type LegacyClient,
  type Message,
  messagesOf,
  modern,
  modernResponse,
  type Reachable,
  until,
} from './support.js';
import { authorization, tokenOf } from './tokens.js';
import { hold, held, release } from './tools.js';

/** What a server does under a load, over real connections, and what is left of it afterwards. */

const WAITERS = 1_000;
const TASKS = 1_000;
const STREAMS = 10;
const LINES = 20_000;

const chatty = defineTool({
  name: 'chatty',
  description: 'Says a lot, once it is asked to begin.',
  input: z.object({ label: z.string() }),
  taskSupport: 'required',
  async run({ args, task }) {
    await hold(args.label).released;
    for (let line = 0; line < LINES; line += 1) {
      task.progress({ progress: line, message: 'x'.repeat(1_000) });
      await task.setStatus(`${line} ${'x'.repeat(900)}`);
      if (line % 10 === 0) await turn();
    }
    return 'said';
  },
});

let server: TaskServer;
let handle: HttpHandle;
let network: Reachable;
let fresh: Reachable;
let handlesBefore: string[];

beforeAll(async () => {
  handlesBefore = process.getActiveResourcesInfo();
  server = await createTaskServer({
    name: 'test',
    version: '1.0.0',
    tools: [held, chatty],
    limits: { readsPerSecond: 100_000, readBurst: 100_000 },
  });
  handle = await serveHttp(server, { auth: authorization });
  network = networkTo(handle.url);
  fresh = networkTo(handle.url, 'once');
});

afterAll(async () => {
  await handle.close();
  await server.close(0);
});

let labels = 0;
const label = (): string => `load-${++labels}`;

async function heldTask(token = tokenOf('ann')): Promise<{ name: string; taskId: string }> {
  const name = label();
  const params = { name: 'held', arguments: { label: name } };
  const { result } = await modern(network, 'tools/call', params, { token });
  return { name, taskId: String(result?.['taskId']) };
}

const POSTED = {
  authorization: `Bearer ${tokenOf('ann')}`,
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};

describe('1,000 clients that wait for the result of a task', () => {
  async function task(): Promise<{ client: LegacyClient; name: string; taskId: unknown }> {
    const client = await legacy(fresh);
    const name = label();
    const params = { name: 'held', arguments: { label: name }, task: {} };
    const { result } = await client.request('tools/call', params);
    return { client, name, taskId: at(result, ['task', 'taskId']) };
  }

  it('CORE-RES-2 SEC-7 are all answered, and leave nothing behind', async () => {
    const grown = await growth(async () => {
      const { client, name, taskId } = await task();
      const waiting = Array.from({ length: WAITERS }, () =>
        client.request('tasks/result', { taskId }),
      );
      // Another client is served meanwhile.
      const other = await legacy(fresh, { token: tokenOf('bob') });
      expect((await other.request('tools/list')).status).toBe(200);
      release(name);
      const texts = (await Promise.all(waiting)).map(({ result }) => result?.['content']);
      expect(texts).toEqual(texts.map(() => [{ type: 'text', text: `done ${name}` }]));
    });
    expect(grown).toBeLessThan(MIB);
  });

  it('SEC-7 leave nothing behind when they vanish', async () => {
    const { client, name, taskId } = await task();
    const headers = {
      ...POSTED,
      'mcp-session-id': client.sessionId,
      'mcp-protocol-version': '2025-11-25',
    };
    let id = 1_000_000;
    const grown = await growth(async () => {
      const leave = await Promise.all(
        Array.from({ length: WAITERS }, () =>
          stalled(
            handle.url,
            headers,
            'POST',
            JSON.stringify({
              jsonrpc: '2.0',
              id: ++id,
              method: 'tasks/result',
              params: { taskId },
            }),
          ),
        ),
      );
      // The server has come to all of them when it comes to this.
      await client.request('tasks/get', { taskId });
      collect();
      for (const drop of leave) drop();
    });
    release(name);
    expect(grown).toBeLessThan(MIB);
  });
});

describe('10,000 subscriptions', () => {
  async function subscribe(taskIds: readonly string[], signal?: AbortSignal) {
    const notifications = { taskIds };
    const response = await modernResponse(
      network,
      'subscriptions/listen',
      { notifications },
      {},
      signal,
    );
    const messages = messagesOf(response);
    const first: unknown = (await messages.next()).value;
    const accepted = (at(first, ['params', 'notifications', 'taskIds']) ?? []) as string[];
    return { accepted, error: at(first, ['error']), messages };
  }

  it('EXT-NOT-1 SEC-7 all get the notification, one more is refused, and nothing is left', async () => {
    const tasks = [];
    for (let n = 0; n < TASKS; n += 1) tasks.push(await heldTask());
    const ids = tasks.map(({ taskId }) => taskId);

    /** Resolves once there is room for all: the server has noticed that the last ones have gone. */
    async function all(): Promise<{ streams: AsyncGenerator<Message>[]; leave: () => void }> {
      for (;;) {
        const leave = new AbortController();
        const streams = [];
        for (let n = 0; n < STREAMS; n += 1) streams.push(await subscribe(ids, leave.signal));
        const counts = streams.map(({ accepted }) => accepted.length);
        if (counts.every((count) => count === TASKS)) {
          return { streams: streams.map(({ messages }) => messages), leave: () => leave.abort() };
        }
        leave.abort();
      }
    }

    const grown = await growth(async () => {
      const { leave } = await all();
      expect((await subscribe(ids)).error).toMatchObject({
        data: { reason: 'limit', limit: 'listenersPerOwner' },
      });
      collect();
      leave();
    });
    expect(grown).toBeLessThan(MIB);

    const { streams } = await all();
    for (const { name } of tasks) release(name);
    for (const messages of streams) {
      const completed = new Set<unknown>();
      for await (const { params } of messages) {
        if (params?.['status'] === 'completed') completed.add(params['taskId']);
      }
      expect(completed.size).toBe(TASKS);
    }
  });
});

describe('10,000 bogus ids', () => {
  it('SEC-6 EXT-ERR-1 are all refused, and others are served', async () => {
    const { name, taskId } = await heldTask();
    const token = tokenOf('mallory');
    const grown = await growth(async () => {
      for (let batch = 0; batch < 34; batch += 1) {
        const answers = await Promise.all(
          Array.from({ length: 100 }, (_, n) =>
            modern(network, 'tasks/get', { taskId: `bogus-${batch}-${n}` }, { token }),
          ),
        );
        expect(new Set(answers.map(({ error }) => error?.code))).toEqual(new Set([-32602]));
        const { result } = await modern(network, 'tasks/get', { taskId });
        expect(result).toMatchObject({ status: 'working' });
      }
    });
    release(name);
    expect(grown).toBeLessThan(MIB);
  });
});

describe('a client that does not read', () => {
  /** Some 40 MB of news go by. */
  async function talk(name: string): Promise<number> {
    const before = await heap();
    release(name);
    return before;
  }

  it('SEC-7 delays no other client, and gets the current state in the extension', async () => {
    const name = label();
    const params = { name: 'chatty', arguments: { label: name } };
    const { result } = await modern(network, 'tools/call', params);
    const taskId = String(result?.['taskId']);
    const listen = {
      jsonrpc: '2.0',
      id: 'slow',
      method: 'subscriptions/listen',
      params: {
        notifications: { taskIds: [taskId] },
        _meta: {
          [META_KEYS.protocolVersion]: '2026-07-28',
          [META_KEYS.clientInfo]: { name: 'test', version: '1' },
          [META_KEYS.clientCapabilities]: { extensions: { [EXTENSION_ID]: {} } },
        },
      },
    };
    const headers = {
      ...POSTED,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    };
    const leave = await stalled(handle.url, headers, 'POST', JSON.stringify(listen));
    const before = await talk(name);
    await until(
      () => modern(network, 'tasks/get', { taskId }),
      (answer) => answer.result?.['status'] === 'completed',
    );
    expect((await heap()) - before).toBeLessThan(4 * MIB);
    leave();
  });

  it('SEC-7 loses his stream in the core dialect', async () => {
    const name = label();
    const client = await legacy(network);
    const leave = await stalled(
      handle.url,
      {
        ...POSTED,
        'mcp-session-id': client.sessionId,
        'mcp-protocol-version': '2025-11-25',
      },
      'GET',
    );
    const { result } = await client.request('tools/call', {
      name: 'chatty',
      arguments: { label: name },
      task: {},
      _meta: { progressToken: 'p' },
    });
    const taskId = at(result, ['task', 'taskId']);
    const before = await talk(name);
    await until(
      () => client.request('tasks/get', { taskId }),
      (answer) => answer.result?.['status'] === 'completed',
    );
    expect((await heap()) - before).toBeLessThan(4 * MIB);
    leave();
  });
});

describe('afterwards', () => {
  it('no handle is left', async () => {
    await handle.close();
    await server.close(0);
    const left = (): Promise<string[]> =>
      Promise.resolve(process.getActiveResourcesInfo().filter((kind) => /TCP|Timeout/.test(kind)));
    const expected = handlesBefore.filter((kind) => /TCP|Timeout/.test(kind));
    await until(left, (kinds) => kinds.length <= expected.length + 1);
  });
});
