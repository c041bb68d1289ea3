import { describe, expect, it, vi } from 'vitest';

import { createMemoryStore } from '../../runtime/stores/index.js';
import type { TaskExecutor, TaskStore } from '../../runtime/tasks/index.js';
import { ANN, heldTool, manualClock, refusal, rig, turns } from '../tasks/support.js';
import { MinimalExecutor } from './minimal.js';

/** The lease of the executors that are tried. */
export const LEASE_MS = 10_000;

/** Longer than any executor takes to start a task. */
const WAIT = { timeout: 30_000 };

/** An executor that is given each task twice. */
function twice(inner: TaskExecutor): TaskExecutor {
  return {
    worker: inner.worker,
    start: (host) => inner.start(host),
    call: (call) => inner.call(call),
    close: (drainMs) => inner.close(drainMs),
    async reserve(owner) {
      const [first, second] = [await inner.reserve(owner), await inner.reserve(owner)];
      return {
        ...first,
        submit(task) {
          first.submit(task);
          second.submit(task);
        },
      };
    },
  };
}

/** A store that fails to acknowledge its first insertion, which it has made. */
function forgetful(store: TaskStore): TaskStore {
  let failed = false;
  return {
    ...store,
    async insert(record, caps) {
      const insertion = await store.insert(record, caps);
      if (failed) return insertion;
      failed = true;
      throw new Error('connection lost');
    },
  };
}

/** Tries the promises of `runtime/executors/README.md`. An executor may take its time, but not that of its clock. */
export function describeExecutor(name: string, createExecutor: () => TaskExecutor): void {
  describe(`the ${name} executor`, () => promises(createExecutor));
}

function promises(createExecutor: () => TaskExecutor): void {
  it('runs a task after its creation was answered', async () => {
    const order: string[] = [];
    const run = () => {
      order.push('run');
      return { content: [] };
    };
    const { engine, start } = await rig({ run }, { executor: createExecutor() });
    const { id } = await start('run');
    order.push('answered');
    expect((await engine.wait(ANN, id)).status).toBe('completed');
    expect(order).toEqual(['answered', 'run']);
  });

  it('starts an attempt once, however often it is submitted', async () => {
    let runs = 0;
    const run = () => {
      runs += 1;
      return { content: [] };
    };
    const { engine, start } = await rig({ run }, { executor: twice(createExecutor()) });
    const { id } = await start('run');
    await engine.wait(ANN, id);
    await turns();
    expect(runs).toBe(1);
  });

  it('runs a task that was stored although the store did not say so', async () => {
    const [store, clock] = [createMemoryStore(), manualClock()];
    let runs = 0;
    const run = () => {
      runs += 1;
      return { content: [] };
    };
    const executor = createExecutor();
    const { start } = await rig({ run }, { store: forgetful(store), clock, executor });
    expect((await refusal(start('run'))).reason).toBe('internal');
    await clock.advance(LEASE_MS);
    await vi.waitFor(() => expect(runs).toBe(1), WAIT);
  });

  it('gives up what still runs when it closes, and the next worker runs it at once', async () => {
    const [store, held] = [createMemoryStore(), heldTool()];
    const before = await rig(
      { run: { run: held.run, retryable: true } },
      { store, executor: createExecutor() },
    );
    const { id } = await before.start('run');
    await vi.waitFor(() => expect(held.contexts).toHaveLength(1), WAIT);
    await before.engine.close(0);
    const after = await rig(
      { run: () => ({ content: [] }) },
      { store, executor: createExecutor() },
    );
    expect((await after.engine.wait(ANN, id)).status).toBe('completed');
  });

  it('takes over the task of a lost worker when its lease ends, and not before', async () => {
    const [store, clock] = [createMemoryStore(), manualClock()];
    const lost = { ...clock, wake: () => () => undefined };
    const held = heldTool();
    const before = await rig(
      { run: { run: held.run, retryable: true } },
      { store, clock: lost, executor: new MinimalExecutor(LEASE_MS) },
    );
    const { id } = await before.start('run');
    let runs = 0;
    const run = () => {
      runs += 1;
      return { content: [] };
    };
    const after = await rig(
      { run: { run, retryable: true } },
      { store, clock, executor: createExecutor() },
    );
    await clock.advance(LEASE_MS / 2);
    expect(runs).toBe(0);
    await clock.advance(LEASE_MS);
    expect((await after.engine.wait(ANN, id)).status).toBe('completed');
    expect(runs).toBe(1);
  });

  it('refuses plain calls once it is closed', async () => {
    const { engine } = await rig({}, { executor: createExecutor() });
    const call = () =>
      engine.call(ANN, 'add', new AbortController().signal, () => Promise.resolve(3));
    expect(await call()).toBe(3);
    await engine.close(0);
    expect((await refusal(call())).reason).toBe('closed');
  });
}
