import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../runtime/stores/index.js';
import {
  outcomeOf,
  type TaskHandler,
  type TaskRecord,
  type TaskStore,
} from '../../runtime/tasks/index.js';
import { ANN, ending, heldTool, manualClock, mortalRig, rig, turns } from './support.js';

const LEASE_MS = 10_000;
const DONE = { content: [] };

/** Another worker takes the task over, without a word. */
async function takeOver(store: TaskStore, { id }: { readonly id: string }): Promise<TaskRecord> {
  const current = (await store.get({ ...ANN, id })) as TaskRecord;
  const taken = {
    ...current,
    worker: 'other',
    fence: current.fence + 1,
    version: current.version + 1,
  };
  await store.renew('other', Number.MAX_SAFE_INTEGER);
  expect(await store.update(taken)).toBe(true);
  return taken;
}

/** A run whose handler waits, and whose task has been taken over. */
async function takenOver() {
  const store = createMemoryStore();
  const tool = heldTool(DONE);
  const tasks = await rig({ slow: tool.run }, { store });
  const task = await tasks.start('slow');
  await turns();
  return { store, tool, tasks, task, taken: await takeOver(store, task) };
}

describe('a run whose task another worker has taken over', () => {
  it('writes nothing more: neither its end nor its message, nor a step', async () => {
    const { store, tool, tasks, task, taken } = await takenOver();
    await tool.contexts[0]?.task.setStatus('late');
    const step = tool.contexts[0]?.task.step('late', () => 1);
    await expect(step).rejects.toMatchObject({ reason: 'not_running' });
    tool.release();
    await turns();
    expect(await store.get(taken)).toEqual(taken);
    expect(tool.contexts[0]?.task.signal.reason).toMatchObject({
      message: 'The task was taken over',
    });
    const fenced = tasks.audit.filter(({ type }) => type === 'fenced');
    expect(fenced).toMatchObject([{ taskId: task.id, owner: 'ann', tool: 'slow' }]);
    expect(tasks.audit.some(({ type }) => type === 'completed')).toBe(false);
  });

  it('is not noted as fenced when the task has ended by then', async () => {
    const { store, tool, tasks, taken } = await takenOver();
    await store.update({ ...taken, status: 'failed', version: taken.version + 1 });
    tool.release();
    await turns();
    expect(tasks.audit.some(({ type }) => type === 'fenced')).toBe(false);
  });

  it('runs no step after its process was paused for longer than its lease', async () => {
    const [store, clock] = [createMemoryStore(), manualClock()];
    const gate = heldTool();
    const ran: string[] = [];
    const tool: TaskHandler['run'] = async (context) => {
      await context.task.step('first', () => ran.push('first'));
      await gate.run(context);
      await context.task.step('second', () => ran.push('second'));
      return DONE;
    };
    const tasks = await rig({ tool }, { store, clock });
    const task = await tasks.start('tool');
    await turns();
    await clock.advance(60_000);
    await takeOver(store, task);
    gate.release();
    await clock.advance(60_000);
    expect(ran).toEqual(['first']);
    expect(await store.get(task)).toMatchObject({ worker: 'other', status: 'working' });
  });
});

describe('a step', () => {
  it('waits while the lease cannot be renewed, and runs when it is', async () => {
    const [memory, clock] = [createMemoryStore(), manualClock()];
    let broken = false;
    const store: TaskStore = {
      ...memory,
      renew: (worker, until) =>
        broken ? Promise.reject(new Error('EIO')) : memory.renew(worker, until),
    };
    const gate = heldTool();
    let ran: number | undefined;
    const tool: TaskHandler['run'] = async (context) => {
      await gate.run(context);
      await context.task.step('charge', () => (ran = clock.now()));
      return DONE;
    };
    const tasks = await rig({ tool: { steps: true, run: tool } }, { store, clock });
    const task = await tasks.start('tool', { ttl: 3_600_000 });
    await turns();
    broken = true;
    await clock.advance(3 * LEASE_MS);
    gate.release();
    await clock.advance(3 * LEASE_MS);
    expect(ran).toBeUndefined();
    broken = false;
    await clock.advance(3 * LEASE_MS);
    expect(ran).toBeDefined();
    expect((await tasks.engine.get(ANN, task.id)).status).toBe('completed');
  });

  it('reads its task again only after a while', async () => {
    const [memory, clock] = [createMemoryStore(), manualClock()];
    let reads = 0;
    const store: TaskStore = {
      ...memory,
      get(key) {
        reads += 1;
        return memory.get(key);
      },
    };
    const seen: number[] = [];
    const tool: TaskHandler['run'] = async ({ task }) => {
      for (const pause of [0, 1_000, 1_001]) {
        await new Promise<void>((resolve) => clock.wake(pause, resolve));
        reads = 0;
        await task.step(() => 1);
        seen.push(reads);
      }
      return DONE;
    };
    const tasks = await rig({ tool: { steps: true, run: tool } }, { store, clock });
    const task = await tasks.start('tool');
    await clock.advance(5_000);
    expect((await memory.get(task))?.status).toBe('completed');
    // The first has written nothing yet; each writes its result.
    expect(seen).toEqual([1, 0, 1]);
  });
});

describe('a handler', () => {
  it('gets the arguments and who called', async () => {
    const caller = { issuer: 'i', subject: 's', client: 'c', scopes: [] };
    const tasks = await rig({ echo: ({ args, caller: who }) => ({ content: [], args, who }) });
    const named = await tasks.start('echo', { args: { n: 1 }, caller });
    expect((await ending(tasks, named)).outcome).toEqual({
      result: { content: [], args: { n: 1 }, who: caller },
    });
    const plain = await tasks.start('echo', { args: null });
    expect((await ending(tasks, plain)).outcome).toEqual({ result: { content: [], args: {} } });
  });

  it('does not start for a task that was cancelled while it waited', async () => {
    const tool = heldTool(DONE);
    const tasks = await rig({ slow: tool.run }, { inProcess: { concurrency: 1 } });
    const first = await tasks.start('slow');
    const second = await tasks.start('slow');
    await turns();
    await tasks.engine.cancel(ANN, second.id);
    tool.release();
    await tasks.engine.wait(ANN, first.id);
    await turns();
    expect(tool.contexts).toHaveLength(1);
  });

  it('is noted as started before it runs, where it had to wait', async () => {
    const store = createMemoryStore();
    const tool = heldTool(DONE);
    const seen: unknown[] = [];
    const noting: TaskHandler['run'] = async ({ task: { id } }) => {
      const record = await store.get({ ...ANN, id });
      seen.push([record?.queued, record?.queuedUntil === undefined]);
      return DONE;
    };
    const tasks = await rig({ slow: tool.run, noting }, { store, inProcess: { concurrency: 1 } });
    await tasks.start('slow');
    const waiting = await tasks.start('noting');
    expect(waiting.queued).toBe(true);
    tool.release();
    await tasks.engine.wait(ANN, waiting.id);
    expect(seen).toEqual([[undefined, false]]);
  });

  it('whose end the store does not take at first ends when it does', async () => {
    const [memory, clock] = [createMemoryStore(), manualClock()];
    let broken = false;
    const store: TaskStore = {
      ...memory,
      update: (next) => (broken ? Promise.reject(new Error('EIO')) : memory.update(next)),
    };
    const tool = heldTool(DONE);
    const tasks = await rig({ slow: tool.run }, { store, clock });
    const task = await tasks.start('slow');
    await turns();
    broken = true;
    tool.release();
    await clock.advance(1_000);
    expect((await memory.get(task))?.status).toBe('working');
    broken = false;
    await clock.advance(5_000);
    expect((await memory.get(task))?.status).toBe('completed');
    expect(tasks.audit.filter(({ type }) => type === 'completed')).toHaveLength(1);
  });

  it('that goes on after its task has expired ends without a fault', async () => {
    const clock = manualClock();
    const tool = heldTool(DONE);
    const tasks = await rig({ slow: tool.run }, { clock });
    await tasks.start('slow', { ttl: 100 });
    await clock.advance(100);
    tool.release();
    await clock.advance(10_000);
    expect(tasks.audit.map(({ type }) => type)).toEqual(['created', 'expired']);
  });

  it('that did not stop when told to loses its slot, and this is noted', async () => {
    const clock = manualClock();
    const tool = heldTool(DONE);
    const tasks = await rig(
      { slow: tool.run },
      { clock, inProcess: { concurrency: 1, abandonMs: 100 } },
    );
    const first = await tasks.start('slow');
    await turns();
    await tasks.engine.cancel(ANN, first.id);
    const second = await tasks.start('slow');
    await clock.advance(99);
    expect(tool.contexts).toHaveLength(1);
    await clock.advance(1);
    expect(tool.contexts).toHaveLength(2);
    const abandoned = tasks.audit.filter(({ type }) => type === 'abandoned');
    expect(abandoned).toMatchObject([
      { taskId: first.id, reason: 'The handler did not stop when told to' },
    ]);
    tool.release();
    await tasks.engine.wait(ANN, second.id);
  });
});

describe('a question of a run', () => {
  it('holds no slot while it waits for its answer', async () => {
    const tasks = await rig(
      {
        asks: async ({ task }) => ({ content: [], answer: await task.elicit({}) }),
        quick: () => DONE,
      },
      { inProcess: { concurrency: 1 } },
    );
    const asks = await tasks.start('asks');
    await turns();
    const quick = await tasks.start('quick');
    expect((await tasks.engine.wait(ANN, quick.id)).status).toBe('completed');
    await tasks.engine.answer(ANN, asks.id, { 'input-1': { result: { action: 'accept' } } });
    expect(outcomeOf(await tasks.engine.wait(ANN, asks.id))).toEqual({
      result: { content: [], answer: { action: 'accept' } },
    });
    await turns();
    expect(await tasks.start('quick')).not.toHaveProperty('queued');
  });

  it.each([
    [2, undefined],
    [3, { code: 429, message: 'A task may ask for input 2 times' }],
  ])('may be asked twice where the limit is two: %d times', async (times, error) => {
    const seen: unknown[] = [];
    const tasks = await rig(
      {
        asks: async ({ task }) => {
          const all = Array.from({ length: times }, () =>
            task.elicit({}).catch((reason: unknown) => seen.push(reason)),
          );
          await Promise.all(all);
          return DONE;
        },
      },
      { limits: { inputRequests: 2 } },
    );
    const { id } = await tasks.start('asks');
    await turns();
    expect((await tasks.engine.get(ANN, id)).input).toHaveLength(2);
    expect(seen).toMatchObject(error === undefined ? [] : [error]);
  });

  it('says what is wrong with it', async () => {
    const tasks = await rig(
      {
        large: ({ task }) => task.elicit({ message: 'x'.repeat(99) }),
        twice: ({ task }) => Promise.all([1, 2].map(() => task.sample({}, { key: 'k' }))),
        fits: async ({ task }) => {
          void task.elicit({ m: 'x'.repeat(92) });
          await turns();
          return DONE;
        },
      },
      { limits: { inputBytes: 100 } },
    );
    const messageFor = async (tool: string) =>
      (await ending(tasks, await tasks.start(tool))).task.statusMessage;
    expect(await messageFor('large')).toBe('Input input-1 is too large: 113 bytes, limit 100');
    expect(await messageFor('twice')).toBe('Input k was already asked for');
    expect(await messageFor('fits')).toBeUndefined();
  });

  it('is noted once in the audit, also when a later run asks it again', async () => {
    const [store, clock] = [createMemoryStore(), manualClock()];
    const asks: TaskHandler = {
      retryable: true,
      run: async ({ task }) => ({ content: [], answer: await task.elicit({}) }),
    };
    const before = await mortalRig(store, clock, { asks });
    const task = await before.start('asks');
    await clock.advance(1);
    before.kill();
    const after = await rig({ asks }, { store, clock });
    await clock.advance(3 * LEASE_MS);
    const noted = [...before.audit, ...after.audit].filter(
      ({ type }) => type === 'input_requested',
    );
    expect(noted).toMatchObject([{ taskId: task.id }]);
    await after.engine.answer(ANN, task.id, { 'input-1': { result: { n: 1 } } });
    await clock.advance(1);
    expect(outcomeOf(await after.engine.get(ANN, task.id))).toEqual({
      result: { content: [], answer: { n: 1 } },
    });
  });
});
