import { describe, expect, it } from 'vitest';

import { createFairQueue } from '../../runtime/executors/shared/slots.js';
import { createInProcessExecutor } from '../../runtime/executors/in-process/index.js';
import { createMemoryStore } from '../../runtime/stores/index.js';
import type { Caller, TaskHandler, TaskStore } from '../../runtime/tasks/index.js';
import {
  ANN,
  BEN,
  ending,
  heldTool,
  manualClock,
  mortalRig,
  rig,
  turns,
} from '../tasks/support.js';

const never = () => new Promise(() => undefined);

describe('the in-process executor', () => {
  it('runs no more handlers at a time than it may', async () => {
    let running = 0;
    let most = 0;
    const tool: TaskHandler['run'] = async () => {
      most = Math.max(most, (running += 1));
      await turns(2);
      running -= 1;
      return { content: [] };
    };
    const tasks = await rig({ tool }, { inProcess: { concurrency: 3 } });
    const callers = Array.from({ length: 20 }, (_, n): Caller => ({
      ...ANN,
      owner: `owner-${n % 4}`,
    }));
    const all = await Promise.all(callers.map((caller) => tasks.start('tool', {}, caller)));
    await Promise.all(all.map((task) => tasks.engine.wait(task, task.id)));
    expect(most).toBe(3);
  });

  it('gives the place of a handler that waits for input to another', async () => {
    const tasks = await rig(
      {
        asks: async ({ task }) => ({ content: [], answer: await task.elicit({}) }),
        quick: () => ({ content: [] }),
      },
      { inProcess: { concurrency: 1 } },
    );
    const asking = await Promise.all([1, 2, 3].map(() => tasks.start('asks')));
    await turns();
    expect((await ending(tasks, await tasks.start('quick'))).task.status).toBe('completed');
    for (const { id } of asking) {
      await tasks.engine.answer(ANN, id, { 'input-1': { result: { action: 'accept' } } });
      expect((await tasks.engine.wait(ANN, id)).status).toBe('completed');
    }
  });

  it('takes one slot for a handler to which two answers come while it waits for a slot', async () => {
    const held = heldTool();
    const between = heldTool();
    const asks: TaskHandler['run'] = async (context) => {
      const first = context.task.elicit({ message: 'First?' });
      await between.run(context);
      await context.task.elicit({ message: 'Second?' });
      await first;
      return { content: [] };
    };
    const executor = createInProcessExecutor({ concurrency: 2, concurrencyPerSubject: 2 });
    const tasks = await rig({ asks, held: held.run }, { executor });
    const answer = (key: string) =>
      tasks.engine.answer(ANN, asking.id, { [key]: { result: { action: 'accept' } } });
    const asking = await tasks.start('asks');
    await turns();
    const holding = [await tasks.start('held', {}, BEN), await tasks.start('held', {}, BEN)];
    await turns();
    expect(held.contexts).toHaveLength(2);
    await answer('input-1');
    await turns();
    between.release();
    await turns();
    await answer('input-2');
    await turns();
    held.release();
    for (const task of [asking, ...holding]) await tasks.engine.wait(task, task.id);
    await turns();
    expect(executor.usage?.()).toMatchObject({ taken: 0, queued: 0 });
  });

  it("does not let one owner's queue hold up another's task", async () => {
    const order: string[] = [];
    const note: TaskHandler['run'] = ({ args }) => {
      order.push(String(args));
      return { content: [] };
    };
    const tasks = await rig({ note }, { inProcess: { concurrency: 1 } });
    const start = (name: string, caller: Caller) => tasks.start('note', { args: name }, caller);
    const all = ['a1', 'a2', 'a3', 'a4'].map((name) => start(name, ANN));
    all.push(start('b1', BEN));
    for (const task of await Promise.all(all)) await tasks.engine.wait(task, task.id);
    expect(order).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
  });

  it('takes the default for an option that is undefined', () => {
    const options: object = { concurrency: undefined, leaseMs: undefined };
    expect(() => createInProcessExecutor(options)).not.toThrow();
  });

  it.each([{ concurrency: 0 }, { concurrency: 1.5 }, { leaseMs: NaN }])('refuses %j', (options) => {
    expect(() => createInProcessExecutor(options)).toThrow(RangeError);
  });
});

describe('after its process was lost', () => {
  it('a task whose tool may be run again is run again, once its lease is over', async () => {
    const [store, clock] = [createMemoryStore(), manualClock()];
    const again = { run: never, retryable: true };
    const before = await mortalRig(store, clock, { again });
    const task = await before.start('again');
    await clock.advance(1);
    before.kill();

    const after = await rig(
      { again: { ...again, run: ({ task: { attempt } }) => ({ content: [], attempt }) } },
      { store, clock },
    );
    await clock.advance(9_000);
    expect((await after.engine.get(ANN, task.id)).status).toBe('working');
    await clock.advance(6_000);
    const { outcome } = await ending(after, task);
    expect(outcome).toEqual({ result: { content: [], attempt: 2 } });
    expect(after.audit).toContainEqual(
      expect.objectContaining({ type: 'recovered', taskId: task.id }),
    );
  });

  it('a task whose tool may not is failed, and says that it was interrupted', async () => {
    const [store, clock] = [createMemoryStore(), manualClock()];
    const before = await mortalRig(store, clock, { once: never });
    const task = await before.start('once');
    await clock.advance(1);
    before.kill();

    let runs = 0;
    const after = await rig({ once: () => (runs += 1) }, { store, clock });
    await clock.advance(15_000);
    const { task: ended, outcome } = await ending(after, task);
    expect(ended.statusMessage).toMatch(/interrupted/);
    expect(outcome).toMatchObject({ error: { code: -32603, data: { reason: 'interrupted' } } });
    expect(runs).toBe(0);
  });

  it('a task that loses its worker again and again is given up', async () => {
    const [store, clock] = [createMemoryStore(), manualClock()];
    const poison = { run: never, retryable: true };
    let last = await mortalRig(store, clock, { poison });
    const task = await last.start('poison');
    for (let restart = 0; restart < 4; restart += 1) {
      await clock.advance(1);
      last.kill();
      last = await mortalRig(store, clock, { poison });
      await clock.advance(15_000);
    }
    const { outcome } = await ending(last, task);
    expect(outcome).toMatchObject({ error: { message: /interrupted 3 times/ } });
  });

  it('its late writes are fenced off', async () => {
    const [store, clock] = [createMemoryStore(), manualClock()];
    const stalled = heldTool({ content: [], from: 'the stalled worker' });
    let asleep = false;
    const sleepy: TaskStore = {
      ...store,
      renew: (worker, until) => (asleep ? Promise.resolve() : store.renew(worker, until)),
      orphans: (now, limit) => (asleep ? Promise.resolve([]) : store.orphans(now, limit)),
    };
    const first = await rig(
      { tool: { run: stalled.run, retryable: true } },
      { store: sleepy, clock },
    );
    const task = await first.start('tool');
    await clock.advance(1);
    asleep = true;

    const second = heldTool({ content: [], from: 'the new worker' });
    const other = await rig({ tool: { run: second.run, retryable: true } }, { store, clock });
    await clock.advance(15_000);
    expect(second.contexts).toHaveLength(1);

    await stalled.contexts[0]?.task.setStatus('I am still alive');
    stalled.release();
    await clock.advance(1);
    expect(await other.engine.get(ANN, task.id)).toMatchObject({ status: 'working', fence: 2 });
    expect(stalled.contexts[0]?.task.signal.aborted).toBe(true);
    expect(first.audit.some(({ type }) => type === 'fenced')).toBe(true);
    second.release();
    expect((await ending(other, task)).outcome).toMatchObject({
      result: { from: 'the new worker' },
    });
  });

  it('expired tasks are not taken over, however many', async () => {
    const [store, clock] = [createMemoryStore(), manualClock()];
    const before = await mortalRig(store, clock, { slow: never });
    await Promise.all(Array.from({ length: 300 }, () => before.start('slow', { ttl: 1_000 })));
    before.kill();
    await clock.advance(60_000);
    const after = await rig({ slow: never }, { store, clock });
    await clock.advance(1);
    expect(after.audit.filter(({ type }) => type === 'expired')).toHaveLength(300);
    expect(after.audit.some(({ type }) => type === 'failed')).toBe(false);
  });
});

describe('shutting down', () => {
  it('waits for what runs, and starts nothing more', async () => {
    const store = createMemoryStore();
    const tool = heldTool({ content: [] });
    const tasks = await rig({ slow: tool.run }, { store, inProcess: { concurrency: 1 } });
    const [running, queued] = [await tasks.start('slow'), await tasks.start('slow')];
    await turns();
    const closed = tasks.engine.close();
    await turns();
    tool.release();
    await closed;
    expect((await store.get(running))?.status).toBe('completed');
    expect(await store.get(queued)).toMatchObject({ status: 'working', worker: '' });

    const after = await rig({ slow: tool.run }, { store });
    expect((await ending(after, queued)).task).toMatchObject({ status: 'completed', attempt: 1 });
  });

  it('gives up after the deadline: hands on what may be run again, fails the rest, aborts both', async () => {
    const [store, clock] = [createMemoryStore(), manualClock()];
    const [again, once] = [heldTool(), heldTool()];
    const tools = { again: { run: again.run, retryable: true }, once: once.run };
    const tasks = await rig(tools, { store, clock });
    const [handedOn, failed] = [await tasks.start('again'), await tasks.start('once')];
    await clock.advance(1);
    let closed = false;
    const closing = tasks.engine.close(500).then(() => (closed = true));
    await clock.advance(499);
    expect(closed).toBe(false);
    await clock.advance(1);
    await closing;
    for (const { contexts } of [again, once]) {
      expect(contexts[0]?.task.signal.aborted).toBe(true);
    }
    expect(await store.get(handedOn)).toMatchObject({ status: 'working', worker: '', fence: 2 });
    expect(await store.get(failed)).toMatchObject({
      status: 'failed',
      statusMessage: 'The server shut down while the task ran',
    });
  });

  it('does not wait for handlers that wait for input', async () => {
    const store = createMemoryStore();
    const tasks = await rig({ asks: ({ task }) => task.elicit({}) }, { store });
    const task = await tasks.start('asks');
    await turns();
    await tasks.engine.close(60_000);
    expect((await store.get(task))?.status).toBe('failed');
  });

  it('ends even if the store does not work any more', async () => {
    let broken = false;
    const memory = createMemoryStore();
    const store: TaskStore = {
      ...memory,
      update: (next) => (broken ? Promise.reject(new Error('EIO')) : memory.update(next)),
      renew: (worker, until) =>
        broken ? Promise.reject(new Error('EIO')) : memory.renew(worker, until),
    };
    const tasks = await rig({ slow: never }, { store });
    await tasks.start('slow');
    await turns();
    broken = true;
    await tasks.engine.close(0);
    expect(tasks.audit.filter(({ type }) => type === 'fault').length).toBeGreaterThan(0);
  });
});

describe('trouble with the store', () => {
  it('does not lose an outcome: it is recorded when the store works again', async () => {
    const clock = manualClock();
    let failures = 5;
    const memory = createMemoryStore();
    const store: TaskStore = {
      ...memory,
      update: (next) =>
        (failures -= 1) >= 0 ? Promise.reject(new Error('Disk full')) : memory.update(next),
    };
    const tasks = await rig({ quick: () => ({ content: [] }) }, { store, clock });
    const task = await tasks.start('quick');
    await clock.advance(60_000);
    expect((await tasks.engine.get(ANN, task.id)).status).toBe('completed');
  });
});

describe('the fair queue', () => {
  it('keeps the order of each owner and takes owners by turns, over any number of items', () => {
    const queue = createFairQueue<{ subject: string; n: number }>();
    for (let n = 0; n < 5_000; n += 1) queue.push({ subject: 'ann', n });
    for (let n = 0; n < 3; n += 1) queue.push({ subject: 'ben', n });
    const taken = queue.drain();
    expect(taken.slice(0, 7).map(({ subject, n }) => `${subject}${n}`)).toEqual([
      'ann0',
      'ben0',
      'ann1',
      'ben1',
      'ann2',
      'ben2',
      'ann3',
    ]);
    const anns = taken.filter(({ subject }) => subject === 'ann').map(({ n }) => n);
    expect(anns).toEqual(Array.from({ length: 5_000 }, (_, n) => n));
    expect(queue.shift()).toBeUndefined();
  });
});
