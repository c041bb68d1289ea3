import { describe, expect, it } from 'vitest';

import { META_KEYS } from '../../generated/2026-07-28/protocol.js';
import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import { CallError, type TaskState } from '../../runtime/client/index.js';
import { at } from '../../runtime/peer/wire/json.js';
import { rig, until } from '../server/support.js';
import { release, signals } from '../server/tools.js';
import { connect, transportTo, WAYS } from './harness.js';

const answer = {
  form: () => ({ action: 'accept' as const, content: { name: 'Ann' } }),
  sampling: () => ({
    model: 'test',
    role: 'assistant' as const,
    content: { type: 'text' as const, text: 'Hello Ann' },
  }),
};

/** Labels that hold handlers of test tools. Each test needs its own. */
let labels = 0;
const label = (): string => `client ${(labels += 1)}`;

describe.each(WAYS)('%s over %s', (dialect, kind) => {
  const connected = async (options = {}) =>
    connect(transportTo(await rig(), kind), dialect, { answer, ...options });

  it('CORE-TOOL-3 (core), EXT-CLI-1 (ext): the client gets the result of a plain call and of a task', async () => {
    const { tasks } = await connected();
    expect(await tasks.call('add', { a: 1, b: 2 })).toMatchObject({
      structuredContent: { sum: 3 },
    });
    const name = label();
    const handle = await tasks.start('held', { label: name });
    expect(handle.status).toBe('working');
    release(name);
    expect(await handle.result()).toMatchObject({ content: [{ text: `done ${name}` }] });
    expect(handle.status).toBe('completed');
  });

  it('CORE-TOOL-4: the client calls a tool with taskSupport required as a task', async () => {
    const { tasks } = await connected();
    const handle = await tasks.start('task-only', {}, { asTask: false });
    expect(handle.reference).toBeDefined();
    expect(await handle.result()).toMatchObject({ content: [{ text: 'ran' }] });
  });

  it('the client rejects with tool_error for a failed tool and with rpc_error for a JSON-RPC error', async () => {
    const { tasks } = await connected();
    const failed = await tasks.call('failing').catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(CallError);
    expect(failed).toMatchObject({
      message: 'It went wrong',
      failure: { reason: 'tool_error', result: { isError: true } },
    });
    await expect(tasks.call('broken')).rejects.toMatchObject({
      failure: {
        reason: 'rpc_error',
        error: { code: -32055, message: 'No such shelf', data: { shelf: 7 } },
      },
      // The task has ended with this error, so there is nothing to resume.
      reference: undefined,
    });
    await expect(tasks.call('no such tool')).rejects.toMatchObject({ reason: 'rpc_error' });
  });

  it('CORE-INP-2 (core), EXT-CLI-2 (ext): the client answers each input request of a task once', async () => {
    const asked: string[] = [];
    const { tasks } = await connected();
    const result = await tasks.call(
      'asks',
      {},
      {
        onInput({ method, taskId }) {
          asked.push(method);
          expect(taskId).toBeDefined();
          return method === 'elicitation/create' ? answer.form() : answer.sampling();
        },
      },
    );
    expect(result).toMatchObject({ content: [{ text: 'Ann: Hello Ann' }] });
    expect(asked).toEqual(['elicitation/create', 'sampling/createMessage']);
  });

  it('EXT-NEW-4: the client answers input requests before the task exists', async () => {
    const { tasks } = await connected();
    const result = await tasks.call('asks-first');
    expect(result).toMatchObject({ content: [{ text: 'for Ann' }] });
  });

  it('the client fails a call with input_failed when its input handler throws', async () => {
    const { tasks } = await connected();
    const onInput = () => Promise.reject(new Error('Gone for lunch'));
    await expect(tasks.call('asks-once', {}, { onInput })).rejects.toMatchObject({
      reason: 'input_failed',
      cause: { message: 'Gone for lunch' },
    });
  });

  it('CORE-CAN-3 (core), EXT-CAN-2 (ext): an aborted signal sends tasks/cancel, never notifications/cancelled', async () => {
    const { tasks, sent } = await connected();
    const stop = new AbortController();
    const name = label();
    const handle = await tasks.start('held', { label: name }, { signal: stop.signal });
    await until(
      () => Promise.resolve(signals.get(name)),
      (signal) => signal !== undefined,
    );
    stop.abort(new Error('Enough'));
    await expect(handle.result()).rejects.toMatchObject({
      reason: 'cancelled',
      cause: { message: 'Enough' },
    });
    expect(signals.get(name)?.aborted).toBe(true);
    const call = sent.find(({ method }) => method === 'tools/call');
    const cancelled = sent.filter(({ method }) => method === 'notifications/cancelled');
    expect(cancelled.map(({ params }) => params?.['requestId'])).not.toContain(call?.id);
    expect(sent.filter(({ method }) => method === 'tasks/cancel')).toHaveLength(1);
    release(name);
  });

  it('handle.cancel() and the timeout cancel the task', async () => {
    const { tasks } = await connected();
    const names = [label(), label()];
    const handle = await tasks.start('held', { label: names[0] });
    await handle.cancel();
    await expect(handle.result()).rejects.toMatchObject({ reason: 'cancelled' });
    expect(handle.status).toBe('cancelled');
    await handle.cancel();
    await expect(tasks.call('held', { label: names[1] }, { timeout: 50 })).rejects.toMatchObject({
      reason: 'timeout',
    });
    // The timeout may pass before the tool has begun.
    await until(
      () => Promise.resolve(signals.get(String(names[1]))?.aborted),
      (aborted) => aborted !== false,
    );
    names.forEach(release);
  });

  it('the client sends no call when the signal is already aborted', async () => {
    const { tasks, sent } = await connected();
    const before = sent.length;
    await expect(
      tasks.call('add', { a: 1, b: 2 }, { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ reason: 'cancelled' });
    expect(sent.slice(before).filter(({ method }) => method === 'tools/call')).toEqual([]);
  });

  it('a handle iterates over the states of its task until the task ends', async () => {
    const { tasks } = await connected();
    const name = label();
    const told: string[] = [];
    const handle = await tasks.start(
      'held',
      { label: name },
      {
        onStatus: ({ status }) => told.push(status),
      },
    );
    const seen: TaskState[] = [];
    for await (const state of handle) {
      seen.push(state);
      if (state.status === 'working') release(name);
    }
    expect(seen.map(({ status }) => status)).toEqual(['working', 'completed']);
    await handle.result();
    expect(told).toEqual(['working', 'completed']);
    expect(seen[0]).toMatchObject({
      dialect,
      pollInterval: 100,
    });
    const again: TaskState[] = [];
    for await (const state of handle) again.push(state);
    expect(again).toEqual(seen.slice(1));
  });

  it('another client resumes a task by its reference', async () => {
    const server = await rig();
    const first = await connect(transportTo(server, kind), dialect, { answer });
    const name = label();
    const handle = await first.tasks.start('held', { label: name });
    const { reference = '' } = handle;
    const lost = expect(handle.result()).rejects.toMatchObject({ reason: 'lost', reference });
    await first.tasks.close();
    await lost;
    const second = await connect(transportTo(server, kind), dialect, { answer });
    const resumed = await second.tasks.resume(reference);
    expect(resumed.reference).toBe(reference);
    release(name);
    expect(await resumed.result()).toMatchObject({ content: [{ text: `done ${name}` }] });
    const late = await second.tasks.resume(reference);
    expect(await late.result()).toMatchObject({ content: [{ text: `done ${name}` }] });
  });

  it('CORE-TTL-1: the client rejects with expired after the TTL of the task', async () => {
    const server = await rig({ limits: { ttlMax: 60 } });
    const { tasks } = await connect(transportTo(server, kind), dialect);
    const name = label();
    const handle = await tasks.start('held', { label: name }, { ttl: 50 });
    await expect(handle.result()).rejects.toMatchObject({ reason: 'expired' });
    await expect(tasks.resume(handle.reference ?? '')).rejects.toMatchObject({ reason: 'expired' });
    release(name);
  });

  it('resume refuses an invalid reference and a reference of the other dialect', async () => {
    const { tasks } = await connected();
    await expect(tasks.resume('mcp-task-1.nonsense')).rejects.toMatchObject({
      reason: 'invalid_reference',
    });
    const other = await connect(
      transportTo(await rig(), kind),
      dialect === 'core' ? 'ext' : 'core',
    );
    const { reference = '' } = await other.tasks.start('task-only');
    await expect(tasks.resume(reference)).rejects.toMatchObject({
      reason: 'invalid_reference',
      reference,
    });
  });
});

describe.each(['core', 'ext'] as const)('%s', (dialect) => {
  it('the client makes 1,000 calls on one connection', async () => {
    const server = await rig({ limits: { readsPerSecond: 100_000, createsPerSecond: 100_000 } });
    const { tasks, sent } = await connect(transportTo(server, 'stdio'), dialect);
    const numbers = Array.from({ length: 1_000 }, (_, index) => index);
    const results = await Promise.all(
      numbers.map((index) =>
        index % 2 === 0 ? tasks.call('add', { a: index, b: 1 }) : tasks.call('task-only'),
      ),
    );
    expect(results.map((result) => at(result, ['structuredContent', 'sum']))).toEqual(
      numbers.map((index) => (index % 2 === 0 ? index + 1 : undefined)),
    );
    // Notifications replace most polls.
    expect(sent.filter(({ method }) => method === 'tasks/get').length).toBeLessThan(500);
  });
});

describe('the core dialect', () => {
  const connected = async () => connect(transportTo(await rig(), 'stdio'), 'core', { answer });

  it('CORE-NEW-7: a handle has the immediate response for the model', async () => {
    const { tasks } = await connected();
    const name = label();
    const handle = await tasks.start('held', { label: name });
    expect(handle.immediateResponse).toBe('It is on its way.');
    release(name);
    await handle.result();
  });

  it('CORE-TOOL-2: the client sends no params.task for a tool with taskSupport forbidden', async () => {
    const { tasks, sent } = await connected();
    await tasks.call('plain-only');
    expect(sent.find(({ method }) => method === 'tools/call')?.params).not.toHaveProperty('task');
  });

  it('the client sends params.task for an optional tool unless asTask is false', async () => {
    const { tasks, sent } = await connected();
    await tasks.call('wait', { ms: 1 }, { asTask: false });
    await tasks.call('wait', { ms: 1 }, { ttl: 5_000 });
    const calls = sent.filter(({ method }) => method === 'tools/call');
    expect(calls.map(({ params }) => params?.['task'])).toEqual([undefined, { ttl: 5_000 }]);
  });

  it('CORE-PRG-1: onProgress gets progress until the task ends', async () => {
    const { tasks } = await connected();
    const name = label();
    const received: number[] = [];
    const handle = await tasks.start(
      'held',
      { label: name },
      {
        onProgress({ progress, total }) {
          expect(total).toBe(2);
          received.push(progress);
          release(name);
        },
      },
    );
    await handle.result();
    expect(received).toEqual([1, 2]);
  });

  it('CORE-INP-3: the client sends tasks/result right after tools/call', async () => {
    const { tasks, sent } = await connected();
    const name = label();
    const handle = await tasks.start('held', { label: name });
    const methods = (): (string | undefined)[] => sent.map(({ method }) => method);
    await until(
      () => Promise.resolve(methods().includes('tasks/result')),
      (isSent) => isSent,
    );
    expect(methods().indexOf('tasks/result')).toBe(methods().indexOf('tools/call') + 1);
    release(name);
    await handle.result();
  });

  it('CORE-RES-2: the client polls while its only tasks/result waits', async () => {
    const { tasks, sent } = await connected();
    const name = label();
    const handle = await tasks.start('held', { label: name });
    await until(
      () => Promise.resolve(sent.some(({ method }) => method === 'tasks/get')),
      (polled) => polled,
    );
    expect(sent.filter(({ method }) => method === 'tasks/result')).toHaveLength(1);
    release(name);
    await handle.result();
    expect(sent.filter(({ method }) => method === 'tasks/result')).toHaveLength(1);
  });
});

describe('the extension', () => {
  const connected = async () => connect(transportTo(await rig(), 'stdio'), 'ext', { answer });

  it('EXT-CAP-1: the client declares the extension with every request, and core tasks with none', async () => {
    const { tasks, sent } = await connect(transportTo(await rig(), 'stdio'), 'ext', {
      answer,
      receiver: {},
    });
    await tasks.call('asks');
    const declared = sent
      .filter(({ id, method }) => id !== undefined && method !== undefined)
      .map(({ params }) => at(params, ['_meta', META_KEYS.clientCapabilities]));
    expect(declared.length).toBeGreaterThan(3);
    for (const capabilities of declared) {
      expect(capabilities).toMatchObject({
        extensions: { [EXTENSION_ID]: {} },
        elicitation: { form: {} },
      });
      expect(capabilities).not.toHaveProperty('tasks');
    }
  });

  it('EXT-NOT-1: the client opens one subscription and polls less than twice', async () => {
    const { tasks, sent, got } = await connected();
    const name = label();
    const handle = await tasks.start('held', { label: name });
    await until(
      () => Promise.resolve(got.some(({ method }) => method === 'notifications/tasks')),
      (told) => told,
    );
    release(name);
    await handle.result();
    expect(sent.filter(({ method }) => method === 'subscriptions/listen')).toHaveLength(1);
    expect(sent.filter(({ method }) => method === 'tasks/get').length).toBeLessThan(2);
  });
});

it.each(['http', 'stdio'] as const)(
  'a refused subscription is opened again when the server says so: %s',
  async (kind) => {
    const server = await rig({ limits: { listenersPerOwner: 1 } });
    const { tasks, got } = await connect(transportTo(server, kind), 'ext');
    const heard = (id: string | undefined): boolean =>
      got.some(
        ({ method, params }) => method === 'notifications/tasks' && params?.['taskId'] === id,
      );
    const [one, two] = [label(), label()];
    const first = await tasks.start('held', { label: one });
    await until(
      () => Promise.resolve(heard(first.state?.taskId)),
      (is) => is,
    );
    const second = await tasks.start('held', { label: two });
    await until(
      () =>
        Promise.resolve(got.some(({ error }) => error?.data?.['limit'] === 'listenersPerOwner')),
      (refused) => refused,
    );
    expect(heard(second.state?.taskId)).toBe(false);
    release(one);
    await first.result();
    await until(
      () => Promise.resolve(heard(second.state?.taskId)),
      (is) => is,
    );
    release(two);
    await second.result();
  },
);

it('EXT-HDR-1: the client sends the method and the task id in the headers of tasks/*', async () => {
  const server = await rig();
  const seen: (readonly [string | null, string | null])[] = [];
  const { tasks } = await connect(
    transportTo(
      {
        ...server,
        http: {
          ...server.http,
          fetch(request) {
            const { headers } = request;
            seen.push([headers.get('mcp-method'), headers.get('mcp-name')]);
            return server.http.fetch(request);
          },
        },
      },
      'http',
    ),
    'ext',
  );
  const handle = await tasks.start('held', { label: label() });
  await handle.cancel();
  await expect(handle.result()).rejects.toMatchObject({ reason: 'cancelled' });
  const id = handle.state?.taskId;
  expect(seen).toContainEqual(['tools/call', 'held']);
  expect(seen).toContainEqual(['tasks/cancel', id]);
});
