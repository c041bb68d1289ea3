import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../runtime/stores/index.js';
import { createExecutorHost } from '../../runtime/tasks/host.js';
import { createHub, createWriter } from '../../runtime/tasks/hub.js';
import {
  ByteBudget,
  type AuditEvent,
  DEFAULT_LIMITS,
  outcomeOf,
  type TaskHandler,
  type TaskRecord,
  type TaskStore,
} from '../../runtime/tasks/index.js';
import { createAudit, NO_TELEMETRY } from '../../runtime/tasks/recorder.js';
import { answer } from '../../runtime/tasks/input.js';
import { createTimerQueue } from '../../runtime/tasks/clock.js';
import { NO_CAPS, sampleTask } from '../../runtime/testing/testkit/index.js';
import { heldTool, manualClock, turns } from './support.js';

const NOW = 1_700_000_000_000;

/** The engine's half of an executor, on a store with one task. */
async function hosted(
  parts: Partial<TaskRecord> = {},
  handler: Partial<TaskHandler> | null = {},
  store: TaskStore = createMemoryStore(),
) {
  const task = sampleTask(1, {
    worker: 'lost',
    fence: 3,
    createdAt: NOW,
    updatedAt: NOW,
    ...parts,
  });
  await store.insert(task, NO_CAPS);
  const clock = manualClock(NOW);
  const events: AuditEvent[] = [];
  const audit = createAudit(clock, (event) => events.push(event));
  const hub = createHub({ ...DEFAULT_LIMITS, retryAfterMs: 1 });
  const ended: TaskRecord[] = [];
  const recovered: string[] = [];
  const host = createExecutorHost({
    store,
    clock,
    hub,
    audit,
    writer: createWriter(store, hub, clock),
    timers: createTimerQueue(clock),
    telemetry: {
      ...NO_TELEMETRY,
      ended: (each) => ended.push(each as TaskRecord),
      recovered: ({ id }) => recovered.push(id),
    },
    limits: DEFAULT_LIMITS,
    held: new ByteBudget(DEFAULT_LIMITS.heldArgsBytes),
    handlers: () => (handler === null ? undefined : { run: () => ({}), ...handler }),
    onLeft: () => undefined,
    report: () => undefined,
  });
  return {
    host,
    hub,
    task,
    clock,
    ended,
    recovered,
    read: async () => (await store.get(task)) as TaskRecord,
    types: () => events.map(({ type }) => type),
    events,
  };
}

describe('a task whose worker was lost', () => {
  it('is taken over under a new fence when its tool may run again, and waits for its start', async () => {
    for (const declared of [{ retryable: true }, { steps: true }]) {
      const { host, task, read, types, recovered } = await hosted({}, declared);
      const adopted = await host.adopt(task, 'here');
      expect(adopted).toMatchObject({ worker: 'here', fence: 4, attempt: 2, queued: true });
      expect(await read()).toEqual(adopted);
      expect([types(), recovered]).toEqual([['recovered'], [task.id]]);
    }
  });

  it.each<[string, Partial<TaskRecord>]>([
    ['never started', { queued: true }],
    ['was handed back', { worker: '' }],
    ['waited for input', { status: 'input_required' }],
    ['was in a pause', { steps: [{ name: 'sleep-1', attempt: 1, until: NOW + 1 }] }],
  ])('has lost no attempt where it %s', async (_, parts) => {
    const { host, task } = await hosted(parts, { retryable: true });
    expect(await host.adopt(task, 'here')).toMatchObject({ attempt: 1, fence: 4 });
  });

  it('has lost an attempt where its pause was over', async () => {
    const steps = [{ name: 'sleep-1', attempt: 1, until: NOW }];
    const { host, task } = await hosted({ steps });
    expect(await host.adopt(task, 'here')).toMatchObject({ attempt: 2 });
  });

  it.each<[string, Partial<TaskRecord>]>([
    ['it never started', { queued: true }],
    ['it was handed back', { worker: '' }],
    ['it has a step', { steps: [{ name: 'a', attempt: 1 }] }],
  ])('is taken over although its tool may not run again, where %s', async (_, parts) => {
    const { host, task } = await hosted(parts);
    expect(await host.adopt(task, 'here')).toMatchObject({ worker: 'here' });
  });

  const interrupted = (message: string) => ({
    error: { code: -32603, message, data: { reason: 'interrupted' } },
  });

  it('fails when its tool may not run again', async () => {
    const { host, task, read, types, ended } = await hosted();
    expect(await host.adopt(task, 'here')).toBeUndefined();
    const failed = await read();
    expect(failed).toMatchObject({ status: 'failed', worker: '', fence: 3, attempt: 1 });
    expect(outcomeOf(failed)).toEqual(
      interrupted('The task was interrupted: the process that ran it stopped'),
    );
    expect([types(), ended]).toEqual([['failed'], [failed]]);
  });

  it('is given up after as many attempts as the limit allows without progress', async () => {
    const attempt = DEFAULT_LIMITS.attempts;
    const another = await hosted({ attempt: attempt - 1 }, { retryable: true });
    expect(await another.host.adopt(another.task, 'here')).toMatchObject({ attempt });
    const { host, task, read } = await hosted({ attempt }, { retryable: true });
    expect(await host.adopt(task, 'here')).toBeUndefined();
    expect(outcomeOf(await read())).toEqual(
      interrupted('The task was interrupted 3 times and is given up'),
    );
  });

  it('is not given up for attempts before its last step, nor in a wait', async () => {
    const step = { name: 'a', result: '1' };
    for (const [parts, isGivenUp] of [
      [{ attempt: 5, steps: [{ ...step, attempt: 4 }] }, false],
      [{ attempt: 5, steps: [{ ...step, attempt: 3 }] }, true],
      [{ attempt: 5, steps: [{ name: 'a', attempt: 4 }] }, true],
      [
        {
          attempt: 5,
          steps: [
            { ...step, attempt: 4 },
            { ...step, name: 'b', attempt: 1 },
          ],
        },
        false,
      ],
      [{ attempt: 9, status: 'input_required' }, false],
      [{ attempt: 9, queued: true }, false],
    ] as const) {
      const { host, task } = await hosted(parts, { retryable: true });
      expect((await host.adopt(task, 'here')) === undefined).toBe(isGivenUp);
    }
  });

  it('fails when nothing here runs it', async () => {
    const { host, task, read } = await hosted({ queued: true, tool: 'resize' }, null);
    expect(await host.adopt(task, 'here')).toBeUndefined();
    expect(outcomeOf(await read())).toMatchObject({
      error: { message: 'Nothing here runs resize', data: { reason: 'no_handler' } },
    });
    expect(await (await hosted()).host.leaves(task)).toBe(false);
  });

  it.each<[string, Partial<TaskRecord>]>([
    ['has ended', { status: 'cancelled' }],
    ['has another worker by now', { fence: 4 }],
  ])('is left alone where it %s', async (_, parts) => {
    const { host, task, read, types } = await hosted(parts, { retryable: true });
    const before = await read();
    expect(await host.adopt({ ...task, fence: 3, status: 'working' }, 'here')).toBeUndefined();
    expect([await read(), types()]).toEqual([before, []]);
  });

  it('is left alone where it has expired', async () => {
    const { host, task, clock } = await hosted({ ttl: 10 }, { retryable: true });
    await clock.advance(10);
    expect(await host.adopt(task, 'here')).toBeUndefined();
  });

  it('rejects with the fault of the store', async () => {
    const store = createMemoryStore();
    const broken = { ...store, get: () => Promise.reject(new Error('EIO')) };
    const { host, task } = await hosted({}, { retryable: true }, broken);
    await expect(host.adopt(task, 'here')).rejects.toThrow('EIO');
  });
});

describe('a queued task', () => {
  it.each([true, false])(
    'is given to the worker that is to run it; at once: %s',
    async (immediate) => {
      const { host, task, read, types } = await hosted({ worker: '', queued: true });
      const assigned = await host.assign(task, 'there', immediate);
      expect(assigned).toMatchObject({ worker: 'there', fence: 4 });
      expect(assigned?.queued).toBe(immediate ? undefined : true);
      expect([await read(), types()]).toEqual([assigned, []]);
    },
  );

  it.each<[string, Partial<TaskRecord>]>([
    ['has started', { queued: false }],
    ['has ended', { status: 'failed', queued: true }],
    ['has changed hands', { fence: 4, queued: true }],
  ])('is not given away where it %s', async (_, parts) => {
    const { host, task } = await hosted(parts);
    expect(await host.assign({ ...task, fence: 3 }, 'there', true)).toBeUndefined();
  });
});

describe('a run that is given up', () => {
  const slot = { leave: () => undefined, enter: (resume: () => void) => resume() };
  const never = () => new Promise(() => undefined);

  async function givenUp(
    parts: Partial<TaskRecord>,
    handler: Partial<TaskHandler>,
    starts: boolean,
  ) {
    const made = await hosted({ fence: 1, ...parts }, handler);
    const run = made.host.createRun(made.task, () => undefined);
    if (starts) {
      void run.execute(slot);
      await turns();
    }
    await run.giveUp();
    return made;
  }

  it.each<[string, Partial<TaskRecord>, Partial<TaskHandler>, boolean]>([
    ['it may run again', {}, { retryable: true, run: never }, true],
    ['it has only steps', {}, { steps: true, run: never }, true],
    ['it has a step', { steps: [{ name: 'a', attempt: 1 }] }, { run: never }, true],
    ['it did not start', {}, { run: never }, false],
  ])('leaves its task to any worker where %s', async (_, parts, handler, starts) => {
    const { read, types } = await givenUp(parts, handler, starts);
    expect(await read()).toMatchObject({ status: 'working', worker: '', fence: 2 });
    expect(types()).toEqual(['released']);
  });

  it('fails its task otherwise', async () => {
    const { read, types } = await givenUp({}, { run: never }, true);
    const message = 'The server shut down while the task ran';
    expect(outcomeOf(await read())).toEqual({
      error: { code: -32603, message, data: { reason: 'interrupted' } },
    });
    expect(types()).toEqual(['failed']);
  });

  it('changes nothing where the task has ended or changed hands', async () => {
    const store = createMemoryStore();
    for (const change of [{ status: 'cancelled' as const }, { fence: 2, worker: 'other' }]) {
      const { host, task, read, types } = await hosted({ fence: 1 }, { run: never }, store);
      const run = host.createRun(task, () => undefined);
      const changed = { ...task, ...change, version: 2 };
      await store.update(changed);
      await run.giveUp();
      expect([await read(), types()]).toEqual([changed, []]);
      await store.expire(NOW + task.ttl, 9);
    }
  });
});

it('the runs of a process are counted by what they do', async () => {
  const slot = { leave: () => undefined, enter: (resume: () => void) => resume() };
  const gate = heldTool();
  const run: TaskHandler['run'] = async (context) => {
    await gate.run(context);
    const { task } = context;
    await task.elicit({});
    await task.sleep(1_000);
    return {};
  };
  const store = createMemoryStore();
  const { host, task, clock, hub } = await hosted({ fence: 1 }, { run }, store);
  expect(host.runs()).toEqual({ running: 0, waiting: 0, paused: 0 });
  void host.createRun(task, () => undefined).execute(slot);
  await turns();
  expect(host.runs()).toEqual({ running: 1, waiting: 0, paused: 0 });
  gate.release();
  await turns();
  expect(host.runs()).toEqual({ running: 0, waiting: 1, paused: 0 });
  const writer = createWriter(store, hub, clock);
  await writer.change(task, (record) => answer(record, () => '{"result":{}}'));
  await turns();
  expect(host.runs()).toEqual({ running: 0, waiting: 0, paused: 1 });
  await clock.advance(1_000);
  expect(host.runs()).toEqual({ running: 0, waiting: 0, paused: 0 });
});
