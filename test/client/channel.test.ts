import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import { LOCAL_OWNER } from '../../runtime/server/auth/index.js';
import {
  type ClientChannel,
  createTaskClient,
  type OpenChannel,
  type TaskClientOptions,
} from '../../runtime/client/index.js';
import { type Channel, LazyAbort } from '../../runtime/peer/index.js';
import { PROTOCOL_VERSIONS, REVISIONS } from '../../runtime/protocol.js';
import { createTaskServer } from '../../runtime/server/index.js';
import type { Dialect } from '../../runtime/tasks/index.js';
import { CORE_ONLY, EXT_ONLY, release, testTools } from '../server/tools.js';

const FORM = { form: () => ({ action: 'accept', content: { name: 'Ann' } }) as const };

function versionsOf(dialect: Dialect) {
  return PROTOCOL_VERSIONS.filter((each) => REVISIONS[each].dialect === dialect);
}

interface Pair {
  readonly open: OpenChannel;
  /** How often a channel was opened. */
  readonly opened: () => number;
  /** Disconnects, as the server. */
  readonly hangUp: () => void;
  /** Sends anything to the client. */
  readonly inject: (message: unknown) => void;
}

/** Two channels in this process: the client's, and the one of the server's peer. */
async function pair(dialect: Dialect): Promise<Pair> {
  const server = await createTaskServer({
    name: 'memory',
    version: '1',
    tools: testTools,
    revisions: versionsOf(dialect),
    capabilities: dialect === 'core' ? CORE_ONLY : EXT_ONLY,
    pollInterval: 100,
  });
  onTestFinished(() => server.close(0));
  const serving = server.serve({ identification: LOCAL_OWNER, asksUnidentified: false });
  let opened = 0;
  let gone = new LazyAbort();
  let toClient: (message: unknown) => void = () => undefined;
  return {
    opened: () => opened,
    inject: (message) => toClient(message),
    hangUp: () => gone.abort(new Error('hung up')),
    open(receive) {
      opened += 1;
      toClient = receive;
      const own = (gone = new LazyAbort());
      const ofServer: Channel = {
        gone: own,
        close: () => undefined,
        send: (_, text) => receive(JSON.parse(text)),
      };
      const session = dialect === 'core' ? serving.openSession(undefined, ofServer) : undefined;
      const peer = session?.peer ?? serving.requests(true);
      return {
        gone: own,
        close: () => peer?.close(),
        send: (_, text) =>
          peer?.receive(JSON.parse(text), ofServer, { who: undefined, session, http: undefined }),
      };
    },
  };
}

describe.each(['core', 'ext'] as const)('over a bare channel, in %s', (dialect) => {
  async function connected(options: Partial<TaskClientOptions> = {}) {
    const both = await pair(dialect);
    const problems: Error[] = [];
    const tasks = createTaskClient({
      name: 'test',
      version: '1',
      answer: FORM,
      onError: (error) => problems.push(error),
      ...options,
    });
    onTestFinished(() => tasks.close());
    return { ...both, tasks, problems };
  }

  it('a client calls a tool, follows a task and answers a question', async () => {
    const { tasks, open, problems } = await connected({ revisions: versionsOf(dialect) });
    await tasks.connect(open);
    expect(tasks.server.info?.name).toBe('memory');
    const sum = await tasks.call('add', { a: 1, b: 2 });
    expect(sum.structuredContent).toEqual({ sum: 3 });
    const handle = await tasks.start('asks-once');
    expect(handle.reference).toBeDefined();
    expect((await handle.result()).content).toEqual([{ type: 'text', text: 'accept Ann' }]);
    expect(problems).toEqual([]);
  });

  it('a client that is disconnected resumes its task over another channel', async () => {
    const { tasks, open, opened, hangUp } = await connected({ revisions: versionsOf(dialect) });
    await tasks.connect(open);
    const label = `channel-${dialect}`;
    const handle = await tasks.start('held', { label });
    hangUp();
    const { reference = '' } = handle;
    await expect(handle.result()).rejects.toMatchObject({ reason: 'lost', reference });
    await expect(tasks.call('add', { a: 1, b: 2 })).rejects.toMatchObject({ reason: 'lost' });
    await tasks.connect(open);
    expect(opened()).toBe(2);
    const resumed = await tasks.resume(reference);
    release(label);
    expect((await resumed.result()).content).toEqual([{ type: 'text', text: `done ${label}` }]);
  });

  it('ignores what is no message, and what comes after the end', async () => {
    const { tasks, open, inject } = await connected({ revisions: versionsOf(dialect) });
    await tasks.connect(open);
    for (const message of [null, 7, 'text', [], {}, { jsonrpc: '2.0', id: 999, result: {} }]) {
      inject(message);
    }
    expect((await tasks.call('add', { a: 1, b: 2 })).structuredContent).toEqual({ sum: 3 });
    await tasks.close();
    inject({ jsonrpc: '2.0', method: 'notifications/message', params: {} });
  });
});

it('a client of all revisions agrees on that of a server with sessions', async () => {
  const { open } = await pair('core');
  const tasks = createTaskClient({ name: 'test', version: '1' });
  onTestFinished(() => tasks.close());
  await tasks.connect(open);
  expect(tasks.revision).toBe('2025-11-25');
});

it('connect rejects with the error of a channel that cannot be opened', async () => {
  const tasks = createTaskClient({ name: 'test', version: '1' });
  const refused = (): never => {
    throw new Error('No such port');
  };
  await expect(tasks.connect(refused)).rejects.toMatchObject({
    reason: 'lost',
    message: 'No such port',
  });
});

it('connect rejects when the channel is gone at once', async () => {
  const tasks = createTaskClient({ name: 'test', version: '1' });
  const gone = AbortSignal.abort();
  const open = (): ClientChannel => ({ gone, close: () => undefined, send: () => undefined });
  await expect(tasks.connect(open)).rejects.toMatchObject({ reason: 'lost' });
});

it('a channel of the peer is one of the client', () => {
  expectTypeOf<Channel>().toExtend<ClientChannel>();
});

it.each([
  ['2025-03-26', 2],
  ['2025-06-18', 0],
] as const)(
  'takes several messages at once in the revisions that have them: %s',
  async (version, count) => {
    const serverInfo = { name: 'batches', version: '1' };
    const results: Record<string, object> = {
      initialize: { protocolVersion: version, capabilities: { tools: {} }, serverInfo },
      ping: {},
    };
    const open: OpenChannel = (receive) => ({
      gone: new LazyAbort(),
      close: () => undefined,
      send({ id, method }) {
        const answer = { jsonrpc: '2.0', id, result: results[method as string] };
        const log = { level: 'info', data: 'batched' };
        const note = { jsonrpc: '2.0', method: 'notifications/message', params: log };
        if (method === 'initialize') receive(answer);
        if (method === 'ping') receive([note, note, answer]);
      },
    });
    const tasks = createTaskClient({
      name: 'test',
      version: '1',
      revisions: [version],
      limits: { requestTimeout: 200 },
      onError: () => undefined,
    });
    onTestFinished(() => tasks.close());
    await tasks.connect(open);
    const said: unknown[] = [];
    tasks.onNotification('notifications/message', ({ data }) => said.push(data));
    const pinged = tasks.request('ping', {});
    if (count > 0) expect(await pinged).toEqual({});
    else await expect(pinged).rejects.toMatchObject({ reason: 'invalid_answer' });
    expect(said).toHaveLength(count);
  },
);
