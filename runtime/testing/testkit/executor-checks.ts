import assert from 'node:assert/strict';

import { METHODS } from '../../protocol.js';
import { createMemoryStore } from '../../stores/memory/index.js';
import {
  TaskError,
  type TaskEngine,
  type TaskExecutor,
  type TaskRecord,
  type TaskStore,
} from '../../tasks/index.js';
import { eventually, LONGEST_WAIT_MS } from './trial.js';
import {
  manualClock,
  runTrial,
  turns,
  type ExecutorTrial,
  type ManualClock,
} from './executor-trial.js';
import { ANN, insertAll, sampleTask } from './sample.js';

/** One check, for any test runner: `test(name, run)`. */
export interface ExecutorCheck {
  readonly name: string;
  /** Rejects when the executor breaks a promise. */
  readonly run: () => Promise<void>;
}

export interface ExecutorUnderTest {
  /** Makes an executor of a new worker. */
  readonly create: () => TaskExecutor;
  /** Milliseconds that the executor's lease lasts. Checks of lost workers let this time pass. */
  readonly leaseMs: number;
}

const DONE = { content: [] };

function start(engine: TaskEngine): Promise<TaskRecord> {
  return engine.create(ANN, { method: METHODS.toolsCall, tool: 'run', args: {} });
}

async function reasonOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof TaskError, `Expected a TaskError, got ${String(error)}`);
  return error.reason;
}

/** A handler that counts its runs. */
function counted(): { runs: number; readonly run: () => typeof DONE } {
  const counter = {
    runs: 0,
    run() {
      counter.runs += 1;
      return DONE;
    },
  };
  return counter;
}

/** An executor that is given each task twice. */
function twice(inner: TaskExecutor): TaskExecutor {
  return {
    worker: inner.worker,
    start: (host) => inner.start(host),
    call: (call) => inner.call(call),
    close: (drainMs) => inner.close(drainMs),
    async reserve(subject) {
      const [first, second] = [await inner.reserve(subject), await inner.reserve(subject)];
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

/** A store that fails to acknowledge one of its updates, counted from 1, which it has made. */
function forgetfulOf(nth: number, store: TaskStore): TaskStore {
  let updates = 0;
  return {
    ...store,
    async update(next) {
      const updated = await store.update(next);
      if (updated && (updates += 1) === nth) throw new Error('connection lost');
      return updated;
    },
  };
}

/** Moves the clock on until the task has ended, because a retry may wait for it. */
async function endOf(id: string, engine: TaskEngine, clock: ManualClock): Promise<TaskRecord> {
  let ended: TaskRecord | undefined;
  const waiting = engine.wait(ANN, id).then((task) => (ended = task));
  // When the wait below fails, the engine is closed under this one.
  waiting.catch(() => undefined);
  const until = performance.now() + LONGEST_WAIT_MS;
  while (ended === undefined) {
    assert.ok(performance.now() < until, `The task did not end within ${LONGEST_WAIT_MS} ms`);
    await clock.advance(20);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return waiting;
}

type Check = readonly [
  name: string,
  run: (trial: ExecutorTrial, executor: ExecutorUnderTest) => Promise<void>,
];

const CHECKS: readonly Check[] = [
  [
    'runs a task after its creation was answered',
    async (trial, { create }) => {
      const order: string[] = [];
      const engine = await trial.engine(create(), () => {
        order.push('run');
        return DONE;
      });
      const { id } = await start(engine);
      order.push('answered');
      assert.equal((await engine.wait(ANN, id)).status, 'completed');
      assert.deepEqual(order, ['answered', 'run']);
    },
  ],
  [
    'starts an attempt once, however often it is submitted',
    async (trial, { create }) => {
      const handler = counted();
      const engine = await trial.engine(twice(create()), handler.run);
      const { id } = await start(engine);
      await engine.wait(ANN, id);
      await turns();
      assert.equal(handler.runs, 1);
    },
  ],
  [
    'runs a task that was stored although the store did not say so',
    async (trial, { create, leaseMs }) => {
      const [store, clock, handler] = [createMemoryStore(), manualClock(), counted()];
      const options = { store: forgetful(store), clock };
      const engine = await trial.engine(create(), handler.run, options);
      assert.equal(await reasonOf(start(engine)), 'internal');
      await clock.advance(leaseMs);
      await eventually('of a run', () => handler.runs === 1);
    },
  ],
  [
    'runs a task once although the store did not say that the worker has got it',
    async (trial, { create }) => {
      for (const nth of [1, 2, 3]) {
        const [clock, created, left] = [manualClock(), counted(), counted()];
        const store = forgetfulOf(nth, createMemoryStore());
        const engine = await trial.engine(create(), created.run, { store, clock });
        const { id } = await start(engine);
        assert.equal((await endOf(id, engine, clock)).status, 'completed');
        assert.equal(created.runs, 1);
        await engine.close(0);

        const orphaned = createMemoryStore();
        await insertAll(orphaned, [taskOf('', clock.now())]);
        const options = { store: forgetfulOf(nth, orphaned), clock };
        const next = await trial.engine(create(), left.run, options);
        assert.equal((await endOf(sampleTask(1).id, next, clock)).status, 'completed');
        assert.equal(left.runs, 1);
        await next.close(0);
      }
    },
  ],
  [
    'gives up what still runs when it closes, and the next worker runs it at once',
    async (trial, { create }) => {
      const store = createMemoryStore();
      let running = 0;
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const before = await trial.engine(
        create(),
        async () => {
          running += 1;
          await released;
          return DONE;
        },
        { store },
      );
      const { id } = await start(before);
      await eventually('of a run', () => running === 1);
      await before.close(0);
      const after = await trial.engine(create(), () => DONE, { store });
      assert.equal((await after.wait(ANN, id)).status, 'completed');
      release();
    },
  ],
  [
    'runs a task that no worker holds',
    async (trial, { create }) => {
      const [store, clock, handler] = [createMemoryStore(), manualClock(), counted()];
      await insertAll(store, [taskOf('', clock.now())]);
      const engine = await trial.engine(create(), handler.run, { store, clock });
      await clock.advance(1);
      assert.equal((await engine.wait(ANN, sampleTask(1).id)).status, 'completed');
      assert.equal(handler.runs, 1);
    },
  ],
  [
    'takes over the task of a lost worker when its lease ends, and not before',
    async (trial, { create, leaseMs }) => {
      const [store, clock, handler] = [createMemoryStore(), manualClock(), counted()];
      await store.renew('lost', clock.now() + leaseMs);
      await insertAll(store, [taskOf('lost', clock.now())]);
      const engine = await trial.engine(create(), handler.run, { store, clock });
      await clock.advance(leaseMs / 2);
      assert.equal(handler.runs, 0);
      await clock.advance(leaseMs);
      assert.equal((await engine.wait(ANN, sampleTask(1).id)).status, 'completed');
      assert.equal(handler.runs, 1);
    },
  ],
  [
    'keeps its lease while a handler runs',
    async (trial, { create, leaseMs }) => {
      const [store, clock] = [createMemoryStore(), manualClock()];
      let running = 0;
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const run = async () => {
        running += 1;
        await released;
        return DONE;
      };
      const engine = await trial.engine(create(), run, { store, clock });
      const { id } = await start(engine);
      await eventually('of a run', () => running === 1);
      for (let quarters = 0; quarters < 12; quarters += 1) {
        await clock.advance(leaseMs / 4);
        assert.deepEqual(await store.orphans(clock.now(), 9), []);
      }
      release();
      assert.equal((await engine.wait(ANN, id)).status, 'completed');
      assert.equal(running, 1);
    },
  ],
  [
    'refuses plain calls once it is closed',
    async (trial, { create }) => {
      const engine = await trial.engine(create(), () => DONE);
      const call = () =>
        engine.call(ANN, 'add', new AbortController().signal, () => Promise.resolve(3));
      assert.equal(await call(), 3);
      await engine.close(0);
      assert.equal(await reasonOf(call()), 'closed');
    },
  ],
];

/** A task that another worker has left behind before it ran. */
function taskOf(worker: string, now: number): TaskRecord {
  return sampleTask(1, {
    ...{ tool: 'run', args: '{}', worker, queued: true },
    ...{ createdAt: now, updatedAt: now, ttl: 86_400_000 },
  });
}

/**
 * The checks of an executor. They use memory stores and a clock that stands still until a check moves it on;
 * an executor may take its own time for the rest.
 */
export function executorChecks(executor: ExecutorUnderTest): readonly ExecutorCheck[] {
  return CHECKS.map(([name, run]) => ({
    name,
    run: () => runTrial((trial) => run(trial, executor)),
  }));
}
