import { describe, expect, it } from 'vitest';
import { createInProcessExecutor } from '../../runtime/executors/in-process/index.js';
import { createMemoryStore } from '../../runtime/stores/index.js';
import {
  administer,
  type AdministrableStore,
  type AuditEvent,
  createEngine,
  createTaskEngine,
  IDEMPOTENCY_META_KEY,
  NO_TELEMETRY,
  outcomeOf,
  type TaskEvent,
  type TaskExecutor,
  type TaskStore,
  type TaskSummary,
} from '../../runtime/tasks/index.js';
import { ANN, ANN_EXT, BEN, heldTool, manualClock, refusal, rig, turns } from './support.js';

const untimed = (events: readonly AuditEvent[]) => events.map(({ at: _, ...event }) => event);
const quick = () => ({ content: [] });

describe('a task that is created', () => {
  it('has what its request and its caller say, and nothing else', async () => {
    const clock = manualClock();
    const tasks = await rig({ slow: heldTool().run }, { clock, pollInterval: 700 });
    const caller = { issuer: 'i', subject: 's', client: 'c', scopes: ['a'] };
    const created = await tasks.engine.create(
      { ...ANN, subjectKey: 'user' },
      {
        method: 'tools/call',
        tool: 'slow',
        args: { n: 1 },
        caller,
        ttl: 60_000,
        meta: { progressToken: 5 },
      },
    );
    expect(created).toEqual({
      id: created.id,
      owner: 'ann',
      dialect: 'core',
      subjectKey: 'user',
      caller,
      method: 'tools/call',
      tool: 'slow',
      status: 'working',
      createdAt: clock.now(),
      updatedAt: clock.now(),
      ttl: 60_000,
      pollInterval: 700,
      progressToken: 5,
      version: 1,
      worker: created.worker,
      fence: 1,
      attempt: 1,
      args: '{"n":1}',
      input: [],
      steps: [],
    });
    expect(created.worker).not.toBe('');
    const plain = await tasks.engine.create(BEN, { method: 'other', args: undefined });
    expect(plain).toMatchObject({ args: '{}', ttl: 3_600_000 });
    for (const name of [
      'tool',
      'caller',
      'subjectKey',
      'progressToken',
      'trace',
      'idempotency',
      'queued',
    ]) {
      expect(plain).not.toHaveProperty(name);
    }
  });

  it('is queued where no slot is free, and says what is wrong with its arguments', async () => {
    const tasks = await rig(
      { slow: heldTool().run },
      { inProcess: { concurrency: 1 }, limits: { argsBytes: 10 } },
    );
    expect(await tasks.start('slow')).not.toHaveProperty('queued');
    expect(await tasks.start('slow')).toMatchObject({ queued: true });
    expect((await refusal(tasks.start('slow', { args: 'x'.repeat(9) }))).message).toBe(
      'Arguments are too large: 11 bytes, limit 10',
    );
    await tasks.start('slow', { args: 'x'.repeat(8) });
  });

  it('is the one of an equal request with its key, and conflicts with another', async () => {
    const tasks = await rig({ quick });
    const meta = { [IDEMPOTENCY_META_KEY]: 'k' };
    const { id } = await tasks.start('quick', { meta });
    expect((await tasks.start('quick', { meta })).id).toBe(id);
    expect(untimed(tasks.audit).filter(({ type }) => type === 'deduplicated')).toEqual([
      {
        type: 'deduplicated',
        owner: 'ann',
        dialect: 'core',
        taskId: id,
        method: 'tools/call',
        tool: 'quick',
      },
    ]);
    expect((await refusal(tasks.start('quick', { meta, args: [1] }))).message).toBe(
      'The idempotency key was used for another request',
    );
  });

  it('gives back its slot where it is refused, or repeats another', async () => {
    const limits = { livePerOwner: 1 };
    const tasks = await rig({ quick }, { inProcess: { concurrency: 1 }, limits });
    const meta = { [IDEMPOTENCY_META_KEY]: 'k' };
    const first = await tasks.start('quick', { meta });
    expect((await tasks.start('quick', { meta })).id).toBe(first.id);
    await tasks.engine.wait(ANN, first.id);
    await tasks.start('quick', { meta });
    const next = await tasks.start('quick');
    expect(next).not.toHaveProperty('queued');
    expect((await tasks.engine.wait(ANN, next.id)).status).toBe('completed');
  });

  it('may be there although the store failed, and is then run', async () => {
    const memory = createMemoryStore();
    let fails = true;
    const store: TaskStore = {
      ...memory,
      async insert(record, caps) {
        const inserted = await memory.insert(record, caps);
        if (!fails) return inserted;
        fails = false;
        throw new Error('connection lost');
      },
    };
    const clock = manualClock();
    const tasks = await rig({ quick }, { store, clock });
    expect((await refusal(tasks.start('quick'))).reason).toBe('internal');
    await clock.advance(30_000);
    const { tasks: listed } = await tasks.engine.list(ANN);
    expect(listed.map(({ status }) => status)).toEqual(['completed']);
  });
});

describe('the operations of an engine', () => {
  it('tell `onStatus` each task and each change of its status here', async () => {
    const seen: unknown[] = [];
    const onStatus = ({ tool, status }: TaskSummary): void => void seen.push([tool, status]);
    const tasks = await rig(
      {
        asks: async ({ task }) => {
          await task.setStatus('Asking');
          await task.elicit({});
          return { content: [] };
        },
      },
      { onStatus },
    );
    const { id } = await tasks.start('asks');
    await turns();
    await tasks.engine.answer(ANN, id, { 'input-1': { result: {} } });
    await tasks.engine.wait(ANN, id);
    expect(seen).toEqual(
      ['working', 'input_required', 'working', 'completed'].map((status) => ['asks', status]),
    );
  });

  it('go to the audit: cancellations, answers, refused answers and expiries', async () => {
    const clock = manualClock();
    const tasks = await rig({ asks: ({ task }) => task.elicit({}) }, { clock });
    const { id } = await tasks.start('asks', { ttl: 1_000 });
    await turns();
    const { engine } = tasks;
    const before = tasks.audit.length;
    await engine.answer(ANN, id, {});
    await engine.answer(ANN, id, { other: { result: {} } });
    await engine.answer(ANN, id, 7 as never).catch(() => undefined);
    await engine.cancel(ANN, id);
    await engine.answer(ANN, id, { 'input-1': { result: {} } });
    await engine.answer(ANN, id, {});
    await refusal(engine.cancel(ANN, id));
    await clock.advance(1_000);
    const task = { owner: 'ann', dialect: 'core', taskId: id, tool: 'asks' };
    const call = { ...task, method: 'tools/call' };
    const refused = { type: 'refused', owner: 'ann', dialect: 'core', taskId: id };
    expect(untimed(tasks.audit.slice(before))).toEqual([
      { ...refused, tool: 'asks', method: 'tasks/update', reason: 'not_asked' },
      { ...refused, method: 'tasks/update', reason: 'invalid_params' },
      { type: 'cancelled', ...call },
      { ...refused, tool: 'asks', method: 'tasks/update', reason: 'ended' },
      { ...refused, method: 'tasks/cancel', reason: 'ended' },
      { type: 'expired', ...call },
    ]);
  });

  it('go to the audit under their methods when they are refused', async () => {
    const tasks = await rig({});
    const { engine } = tasks;
    await refusal(engine.get(ANN, 'a'));
    await refusal(engine.list(ANN, 'a'));
    await refusal(engine.wait(ANN, 'a'));
    await refusal(engine.cancel(ANN, 'a'));
    await refusal(engine.answer(ANN, 'a', {}));
    await refusal(engine.subscribe(ANN, 'a', () => undefined));
    engine.refused({ owner: 'x', method: 'tools/call' }, 'unauthorized');
    expect(tasks.audit.map(({ method, reason }) => [method, reason])).toEqual([
      ['tasks/get', 'unknown_task'],
      ['tasks/list', 'invalid_cursor'],
      ['tasks/result', 'unknown_task'],
      ['tasks/cancel', 'unknown_task'],
      ['tasks/update', 'unknown_task'],
      ['subscribe', 'unknown_task'],
      ['tools/call', 'unauthorized'],
    ]);
    expect(tasks.audit.at(-1)).toMatchObject({ type: 'refused', owner: 'x' });
  });

  it('say of a task that has ended what its status is', async () => {
    const tasks = await rig({ quick });
    const { id } = await tasks.start('quick');
    await tasks.engine.wait(ANN, id);
    expect(await refusal(tasks.engine.cancel(ANN, id))).toMatchObject({
      message: 'Cannot cancel a task that is already completed',
      data: { reason: 'ended', status: 'completed' },
    });
  });

  it('list as many tasks as a page has, and a cursor only for more', async () => {
    const tasks = await rig({ quick }, { limits: { pageSize: 2 } });
    const ids = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await tasks.start('quick')).id);
    const first = await tasks.engine.list(ANN);
    expect(first.tasks.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const second = await tasks.engine.list(ANN, first.nextCursor);
    expect(second).toEqual({ tasks: [expect.objectContaining({ id: ids[2] })] });
  });

  it('report faults of the store to `onFault` and to the audit', async () => {
    const faults: unknown[] = [];
    const store = { ...createMemoryStore(), list: () => Promise.reject(new Error('EIO')) };
    const tasks = await rig({}, { store, onFault: (error) => faults.push(error) });
    await refusal(tasks.engine.list(ANN));
    expect(faults).toEqual([new Error('EIO')]);
    expect(untimed(tasks.audit)[0]).toEqual({ type: 'fault', reason: 'EIO' });
  });
});

describe('a subscription', () => {
  it('has the newest task, and each newer event until its end', async () => {
    const tool = heldTool({ content: [] });
    const tasks = await rig({ slow: tool.run });
    const { id } = await tasks.start('slow');
    await turns();
    await tool.contexts[0]?.task.setStatus('One');
    const events: TaskEvent[] = [];
    const { task, end } = await tasks.engine.subscribe(ANN, id, (event) => events.push(event));
    expect(task).toMatchObject({ statusMessage: 'One', version: 2 });
    await tool.contexts[0]?.task.setStatus('Two');
    end();
    await tool.contexts[0]?.task.setStatus('Three');
    expect(events).toMatchObject([{ type: 'changed', task: { statusMessage: 'Two', version: 3 } }]);
    tool.release();
  });

  it('has a change that came while the task was read', async () => {
    const memory = createMemoryStore();
    let onRead = (): Promise<unknown> => Promise.resolve();
    const store: TaskStore = {
      ...memory,
      async get(key) {
        const record = await memory.get(key);
        await onRead();
        return record;
      },
    };
    const tool = heldTool();
    const tasks = await rig({ slow: tool.run }, { store });
    const { id } = await tasks.start('slow');
    await turns();
    const events: TaskEvent[] = [];
    onRead = async () => {
      onRead = () => Promise.resolve();
      await tool.contexts[0]?.task.setStatus('Meanwhile');
    };
    const { task } = await tasks.engine.subscribe(ANN, id, (event) => events.push(event));
    expect(task).toMatchObject({ statusMessage: 'Meanwhile', version: 2 });
    expect(events).toMatchObject([{ type: 'changed', task: { version: 2 } }]);
    tool.release();
  });

  it('takes no place when its task is unknown', async () => {
    const tasks = await rig({ slow: heldTool().run }, { limits: { listenersPerOwner: 1 } });
    const { id } = await tasks.start('slow');
    for (let n = 0; n < 3; n += 1) await refusal(tasks.engine.subscribe(ANN, 'x', () => undefined));
    await refusal(tasks.engine.wait(ANN, 'x'));
    await tasks.engine.subscribe(ANN, id, () => undefined);
  });
});

describe('a waiter', () => {
  it('takes no place after the end, and none for a signal that has aborted', async () => {
    const tasks = await rig({ slow: heldTool().run }, { limits: { listenersPerOwner: 1 } });
    const { id } = await tasks.start('slow');
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(tasks.engine.wait(ANN, id, signal)).rejects.toThrow('gone');
    await expect(tasks.engine.wait(ANN, id, signal)).rejects.toThrow('gone');
    const waiter = tasks.engine.wait(ANN, id);
    await turns();
    await tasks.engine.cancel(ANN, id);
    expect((await waiter).status).toBe('cancelled');
    expect((await tasks.engine.wait(ANN, id)).status).toBe('cancelled');
    await tasks.engine.subscribe(ANN, id, () => undefined);
  });

  it('is refused when the engine closes before the task ends', async () => {
    const store = createMemoryStore();
    const steps = { steps: true, run: () => new Promise(() => undefined) };
    const tasks = await rig({ steps }, { store, pollInterval: 900 });
    const { id } = await tasks.start('steps');
    await turns();
    const waiter = refusal(tasks.engine.wait(ANN, id));
    await turns();
    await tasks.engine.close(0);
    expect(await waiter).toMatchObject({
      reason: 'closed',
      message: 'The server is shutting down; retry in 900 ms',
    });
  });
});

describe('an engine', () => {
  it('closes once, and lets handlers finish for as long as it is told', async () => {
    let [drained, closings]: [unknown, number] = [undefined, 0];
    const executor: TaskExecutor = {
      worker: 'w',
      start: () => Promise.resolve(),
      reserve: () => {
        throw new Error('not used');
      },
      call: () => Promise.reject(new Error('not used')),
      close(drainMs) {
        drained = drainMs;
        closings += 1;
        return Promise.resolve();
      },
    };
    const make = () =>
      createTaskEngine({ store: createMemoryStore(), executor, handlers: () => undefined });
    const engine = await make();
    await Promise.all([engine.close(7), engine.close(8)]);
    expect([drained, closings]).toEqual([7, 1]);
    await (await make()).close();
    expect([drained, closings]).toEqual([5_000, 2]);
  });

  it('gets what an administrator changes in its process, until it closes', async () => {
    const clock = manualClock();
    const store = createMemoryStore() as AdministrableStore;
    const tasks = await rig({ slow: heldTool().run }, { store, clock });
    const { id } = await tasks.start('slow');
    const events: string[] = [];
    await tasks.engine.subscribe(ANN, id, ({ type }) => events.push(type));
    const admin = administer(store, clock);
    await admin.cancel(id);
    expect(events).toEqual(['changed']);
    const again = await admin.retry(id);
    await clock.advance(30_000);
    expect((await tasks.engine.get(ANN, again.id)).status).toBe('working');
    await admin.purge({ olderThan: 0 });
    expect(events.slice(1)).toContain('removed');
    const seen = events.length;
    await tasks.engine.close(0);
    await administer(store, clock).purge({ olderThan: -1e9 });
    expect(events.slice(seen)).toEqual(['closed']);
  });

  it('removes the task that an administrator retried when it expires', async () => {
    const clock = manualClock();
    const store = createMemoryStore() as AdministrableStore;
    const tasks = await rig({ slow: heldTool().run }, { store, clock });
    const { id } = await tasks.start('slow', { ttl: 100_000 });
    const admin = administer(store, clock);
    await admin.cancel(id);
    await clock.advance(90_000);
    const again = await admin.retry(id);
    await clock.advance(100_000);
    const expired = tasks.audit.filter(({ type }) => type === 'expired');
    expect(expired.map(({ taskId }) => taskId)).toEqual([id, again.id]);
  });

  it('calls a tool without a task, and notes a call that did not stop', async () => {
    const clock = manualClock();
    const tasks = await rig({}, { clock, inProcess: { abandonMs: 100 } });
    const { signal } = new AbortController();
    expect(await tasks.engine.call(ANN_EXT, 'it', signal, () => Promise.resolve(7))).toBe(7);
    const abort = new AbortController();
    const stuck = tasks.engine.call(
      ANN_EXT,
      'it',
      abort.signal,
      () => new Promise(() => undefined),
    );
    stuck.catch(() => undefined);
    await turns();
    abort.abort(new Error('gone'));
    await clock.advance(100);
    expect(untimed(tasks.audit)).toEqual([
      {
        type: 'abandoned',
        owner: 'ann',
        dialect: 'ext',
        method: 'tools/call',
        tool: 'it',
        reason: 'The handler did not stop when told to',
      },
    ]);
  });

  it('fails a task, instead of leaving it working, when its telemetry fails', async () => {
    const faults: unknown[] = [];
    const clock = manualClock();
    const engine = await createEngine(
      {
        store: createMemoryStore(),
        executor: createInProcessExecutor(),
        handlers: () => ({ run: quick }),
        clock,
        onFault: (error) => faults.push(error),
      },
      { ...NO_TELEMETRY, execute: () => Promise.reject(new Error('exporter')) },
    );
    const { id } = await engine.create(ANN, { method: 'tools/call', tool: 'it', args: {} });
    expect(outcomeOf(await engine.wait(ANN, id))).toEqual({
      error: { code: -32603, message: 'Internal error', data: { reason: 'internal' } },
    });
    expect(faults).toEqual([new Error('exporter')]);
    await engine.close(0);
  });

  it('counts each task, each end and each refusal once', async () => {
    const counts: string[] = [];
    const note =
      (what: string) =>
      (subject: TaskSummary | string): void => {
        counts.push(`${what} ${typeof subject === 'string' ? subject : subject.status}`);
      };
    const tool = heldTool({ content: [] });
    const engine = await createEngine(
      {
        store: createMemoryStore(),
        executor: createInProcessExecutor(),
        handlers: () => ({ run: tool.run }),
        limits: { livePerOwner: 2 },
      },
      {
        ...NO_TELEMETRY,
        created: note('created'),
        ended: note('ended'),
        refused: note('refused'),
        retrieved: note('retrieved'),
      },
    );
    const meta = { [IDEMPOTENCY_META_KEY]: 'k' };
    const create = (more = {}) =>
      engine.create(ANN, { method: 'tools/call', tool: 'it', args: {}, ...more });
    const { id } = await create({ meta });
    await create({ meta });
    const other = await create();
    await refusal(create());
    await engine.cancel(ANN, other.id);
    await engine.get(ANN, id);
    tool.release();
    await engine.wait(ANN, id);
    engine.refused({}, 'unauthorized');
    await turns();
    expect(counts.sort()).toEqual([
      'created working',
      'created working',
      'ended cancelled',
      'ended completed',
      'refused limit',
      'refused unauthorized',
      'retrieved completed',
    ]);
    await engine.close(0);
  });

  it('watches its store until it closes', async () => {
    let watching = 0;
    const store: TaskStore = {
      ...createMemoryStore(),
      watch: () => {
        watching += 1;
        return () => (watching -= 1);
      },
    };
    const tasks = await rig({}, { store });
    expect(watching).toBe(1);
    await tasks.engine.close(0);
    expect(watching).toBe(0);
  });

  it.each([
    [{ ttlMax: 500, ttlDefault: 500 }, 500],
    [{ ttlMax: 5_000 }, 1_000],
  ])(
    'asks a caller with too many tasks to retry after its poll interval, within the TTL: %j',
    async (ttl, wait) => {
      const tasks = await rig({ slow: heldTool().run }, { limits: { ...ttl, livePerOwner: 1 } });
      await tasks.start('slow');
      expect((await refusal(tasks.start('slow'))).data).toMatchObject({ retryAfterMs: wait });
    },
  );

  it('asks a caller with too many tasks to retry within the longest TTL', async () => {
    const clock = manualClock();
    const limits = { ttlMax: 5_000, livePerOwner: 1 };
    const tasks = await rig({ slow: heldTool().run }, { clock, limits });
    await tasks.start('slow');
    await refusal(tasks.start('slow'));
    const seen: unknown[] = [];
    for (const pause of [1_500, 3_000]) {
      await clock.advance(pause);
      seen.push((await refusal(tasks.start('slow'))).data['retryAfterMs']);
    }
    expect(seen).toEqual([1_500, 4_500]);
  });
});
