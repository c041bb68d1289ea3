import { describe, expect, it } from 'vitest';

import { createMemoryStore } from '../../runtime/stores/index.js';
import type {
  HandlerContext,
  TaskChange,
  TaskEvent,
  TaskRecord,
  TaskStore,
} from '../../runtime/tasks/index.js';
import { ANN, heldTool, manualClock, refusal, rig, sharedStore, turns } from './support.js';

describe('two engines on one store', () => {
  it('a waiter on one gets the end of a task on the other', async () => {
    const store = sharedStore();
    const tool = heldTool({ content: [] });
    const here = await rig({ slow: tool.run }, { store });
    const there = await rig({}, { store });
    const task = await here.start('slow');
    const waiter = there.engine.wait(ANN, task.id);
    await turns();
    tool.release();
    expect((await waiter).status).toBe('completed');
  });

  it('a cancel on one reaches the handler on the other, and so does an answer', async () => {
    const store = sharedStore();
    let signal: AbortSignal | undefined;
    const here = await rig(
      {
        asks: async ({ task }) => {
          signal = task.signal;
          await task.elicit({});
          return task.elicit({});
        },
      },
      { store },
    );
    const there = await rig({}, { store });
    const { id } = await here.start('asks');
    await turns();
    await there.engine.answer(ANN, id, { 'input-1': { result: {} } });
    await turns();
    expect((await there.engine.get(ANN, id)).input).toHaveLength(2);
    await there.engine.cancel(ANN, id);
    await turns();
    expect(signal?.aborted).toBe(true);
  });

  it('CORE-PRG-1 a listener on one gets the progress of a run on the other, ever greater', async () => {
    const store = sharedStore();
    const clock = manualClock();
    const tool = heldTool();
    const here = await rig({ slow: tool.run }, { store, clock });
    const there = await rig({}, { store, clock });
    const { id } = await here.start('slow', { meta: { progressToken: 1 } });
    await turns();
    const events: TaskEvent[] = [];
    await there.engine.subscribe(ANN, id, (event) => void events.push(event));
    const { task } = tool.contexts[0] as HandlerContext;
    for (const progress of [1, 2, 3]) task.progress({ progress, message: 'Reading' });
    await clock.advance(1_000);
    await task.setStatus('Thinking');
    task.progress({ progress: 4, total: 5 });
    await clock.advance(1_000);
    tool.release();
    await there.engine.wait(ANN, id);
    const seen = events.map((event) => (event.type === 'progress' ? event.progress : event.type));
    expect(seen).toEqual([
      { progress: 3, message: 'Reading' },
      'changed',
      'changed',
      { progress: 4, total: 5, message: 'Thinking' },
      'changed',
      'changed',
    ]);
    expect(await there.engine.get(ANN, id)).not.toHaveProperty('progress');
  });

  it('a waiter on one is rejected when the other expires the task', async () => {
    const store = sharedStore();
    const tool = heldTool();
    const here = await rig({ slow: tool.run }, { store });
    const there = await rig(
      {},
      { store: { ...store, expire: () => Promise.resolve({ removed: [], next: undefined }) } },
    );
    const task = await here.start('slow', { ttl: 20 });
    expect((await refusal(there.engine.wait(ANN, task.id))).reason).toBe('unknown_task');
    tool.release();
  });
});

describe('a change whose event arrives late', () => {
  /** A store of which one watcher hears, and reads, whatever the test says. */
  async function belated(): Promise<{
    readonly store: TaskStore;
    readonly tell: (past: TaskRecord) => Promise<void>;
    readonly task: TaskRecord;
  }> {
    const memory = createMemoryStore();
    const listeners = new Set<(change: TaskChange) => void>();
    let past: TaskRecord | undefined;
    const store: TaskStore = {
      ...memory,
      get: (key) => (past === undefined ? memory.get(key) : Promise.resolve(past)),
      watch(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const origin = await rig({ slow: heldTool().run }, { store: { ...memory } });
    const { id } = await origin.start('slow');
    const record = await memory.get({ ...ANN, id });
    if (record === undefined) throw new Error('not stored');
    const handedOn = { ...record, worker: '', version: record.version + 1, fence: 2 };
    await memory.update(handedOn);
    return {
      store,
      task: handedOn,
      async tell(told) {
        past = told;
        listeners.forEach((listener) =>
          listener({ kind: 'changed', key: told, version: told.version }),
        );
        await turns();
        past = undefined;
      },
    };
  }

  it('does not stop the run that has come since', async () => {
    const { store, task, tell } = await belated();
    const tool = heldTool({ content: [] });
    const here = await rig({ slow: tool.run }, { store });
    await turns();
    await tell(task);
    tool.release();
    expect((await here.engine.wait(ANN, task.id)).status).toBe('completed');
  });

  it('is not missed by a run that began to listen after it', async () => {
    const { store, task } = await belated();
    let found: (() => void) | undefined;
    const slow: TaskStore = {
      ...store,
      // The adoption is stored long before this worker gets the answer.
      async update(next) {
        const updated = await store.update(next);
        if (found === undefined) {
          await new Promise<void>((resolve) => (found = resolve));
        }
        return updated;
      },
    };
    const asked = { key: 'input-1', method: 'elicitation/create', params: '{}' };
    const waiting = { ...task, version: 3, status: 'input_required', input: [asked] } as const;
    await store.update(waiting);
    const starting = rig({ slow: async ({ task }) => task.elicit({}) }, { store: slow });
    await turns();
    const there = await rig({}, { store });
    await there.engine.answer(ANN, task.id, { 'input-1': { result: { action: 'accept' } } });
    found?.();
    const here = await starting;
    expect((await here.engine.wait(ANN, task.id)).status).toBe('completed');
  });

  it('is ignored by a listener with a newer version', async () => {
    const { store, task, tell } = await belated();
    const tool = heldTool({ content: [] });
    const here = await rig({ slow: tool.run }, { store });
    await turns();
    const heard: TaskEvent[] = [];
    const subscription = await here.engine.subscribe(ANN, task.id, (event) => heard.push(event));
    expect(subscription.task.version).toBeGreaterThan(task.version);
    await tell(task);
    expect(heard).toEqual([]);
    tool.release();
    await here.engine.wait(ANN, task.id);
    expect(heard).toMatchObject([{ type: 'changed', task: { status: 'completed' } }]);
  });
});
