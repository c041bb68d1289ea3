import { describe, expect, it, onTestFinished } from 'vitest';

import { createMemoryStore } from '../../runtime/stores/index.js';
import { isTerminal, type TaskHandler, type TaskStore } from '../../runtime/tasks/index.js';
import { STORE_KINDS } from '../support/stores.js';
import {
  ANN,
  heldTool,
  manualClock,
  mortalRig,
  rig,
  sharedStore,
  turns,
  type ManualClock,
} from '../tasks/support.js';

const never = () => new Promise(() => undefined);

/** A store with waiting tasks that no worker runs, and a clock. */
async function orphaned(
  count: number,
  tool = 'once',
): Promise<{ store: TaskStore; clock: ManualClock; ids: string[] }> {
  const [store, clock] = [createMemoryStore(), manualClock()];
  const before = await rig(
    { blocker: never, [tool]: never },
    { store, clock, inProcess: { concurrency: 1 } },
  );
  await before.start('blocker');
  const tasks = await Promise.all(Array.from({ length: count }, () => before.start(tool)));
  await before.engine.close(0);
  return { store, clock, ids: tasks.map(({ id }) => id) };
}

/** Fails writes by turns: before they are done, and after. */
function failing(store: TaskStore, fails: () => boolean): TaskStore {
  let turn = 0;
  return {
    ...store,
    async update(next) {
      if (!fails()) return store.update(next);
      if ((turn += 1) % 2 === 0) await store.update(next);
      throw new Error('database or disk is full');
    },
  };
}

describe('taking over while the store fails', () => {
  it.each([1, 99, 100, 250])(
    'starts each of %i tasks once, when writes work again',
    async (count) => {
      const { store, clock, ids } = await orphaned(count);
      let writes = 0;
      const starts = new Map<string, number>();
      const once: TaskHandler['run'] = ({ task }) => {
        starts.set(task.id, (starts.get(task.id) ?? 0) + 1);
        return { content: [] };
      };
      const flaky = failing(store, () => (writes += 1) <= 2 * count && writes % 5 < 3);
      const after = await rig({ once }, { store: flaky, clock });
      await clock.advance(60_000);
      for (const id of ids) expect((await after.engine.get(ANN, id)).status).toBe('completed');
      expect([...starts.values()].filter((times) => times !== 1)).toEqual([]);
      expect(starts.size).toBe(count);
    },
  );

  it('starts although every take-over fails, and tries each task once a beat', async () => {
    const { store, clock, ids } = await orphaned(250);
    let full = true;
    let attempts = 0;
    const counting: TaskStore = {
      ...store,
      update(next) {
        attempts += 1;
        return full ? Promise.reject(new Error('disk full')) : store.update(next);
      },
    };
    const after = await rig({ once: () => ({ content: [] }) }, { store: counting, clock });
    expect(attempts).toBe(100);
    full = false;
    await clock.advance(60_000);
    for (const id of ids) expect((await after.engine.get(ANN, id)).status).toBe('completed');
  });

  it('goes past tasks of tools that it lacks', async () => {
    const [store, clock] = [sharedStore(), manualClock()];
    const before = await rig(
      { blocker: never, newer: never, once: never },
      { store, clock, inProcess: { concurrency: 1 } },
    );
    await before.start('blocker');
    for (let count = 0; count < 350; count += 1) await before.start('newer');
    const { id } = await before.start('once');
    await before.engine.close(0);
    const after = await rig({ once: () => ({ content: [] }) }, { store, clock });
    await turns(30);
    expect((await after.engine.get(ANN, id)).status).toBe('completed');
  });

  it('goes past tasks that cannot be taken over', async () => {
    const { store, clock, ids } = await orphaned(250);
    const bad = new Set(ids.slice(0, 90));
    const partly: TaskStore = {
      ...store,
      update: (next) =>
        bad.has(next.id) ? Promise.reject(new Error('malformed')) : store.update(next),
    };
    const after = await rig({ once: () => ({ content: [] }) }, { store: partly, clock });
    await turns(30);
    const ended = await Promise.all(ids.map((id) => after.engine.get(ANN, id)));
    expect(ended.filter(({ status }) => isTerminal(status))).toHaveLength(160);
  });
});

describe('a creation that the store acknowledges after other workers took the task over', () => {
  /** A worker whose timers and insertions wait while it is stalled. */
  async function stalling(store: TaskStore, clock: ManualClock, tools: Parameters<typeof rig>[0]) {
    let stalled = false;
    let acknowledge = (): void => undefined;
    const made = await rig(tools, {
      store: {
        ...store,
        async insert(record, caps) {
          const insertion = await store.insert(record, caps);
          if (stalled) await new Promise<void>((resolve) => (acknowledge = resolve));
          return insertion;
        },
      },
      clock: {
        ...clock,
        wake: (ms, callback) =>
          clock.wake(ms, function fire() {
            if (stalled) clock.wake(200, fire);
            else callback();
          }),
      },
      inProcess: { concurrency: 1 },
    });
    return {
      ...made,
      stall: () => (stalled = true),
      resume: () => (stalled = false),
      acknowledge: () => acknowledge(),
    };
  }

  it('does not start a task that another worker has completed', async () => {
    const [store, clock] = [sharedStore(), manualClock()];
    const blocker = heldTool();
    let starts = 0;
    const once = (): unknown => ({ content: [], starts: (starts += 1) });
    const slow = await stalling(store, clock, { blocker: blocker.run, once });
    await slow.start('blocker');
    await clock.advance(1);
    slow.stall();
    const created = slow.start('once');
    await turns();
    const other = await rig({ blocker: blocker.run, once }, { store, clock });
    const [queued] = (await other.engine.list(ANN)).tasks.filter(({ tool }) => tool === 'once');
    // The stalled worker sees the other's changes for a subscriber, before its own run exists.
    await slow.engine.subscribe(ANN, queued?.id ?? '', () => undefined);
    await clock.advance(60_000);
    const [task] = (await other.engine.list(ANN)).tasks.filter(({ tool }) => tool === 'once');
    expect(task).toMatchObject({ status: 'completed', fence: 2 });

    slow.acknowledge();
    await created;
    blocker.release();
    await clock.advance(10_000);
    expect(starts).toBe(1);
  });

  it("runs the task under its new fence when the store had not answered the worker's own take-over", async () => {
    const [memory, clock] = [createMemoryStore(), manualClock()];
    let lost = 0;
    /** Loses the answer to the first take-over by the worker that created the task. */
    const store: TaskStore = {
      ...memory,
      async update(next) {
        const done = await memory.update(next);
        if (next.fence === 4 && (lost += 1) === 1) throw new Error('answer lost');
        return done;
      },
    };
    const again: TaskHandler = { retryable: true, run: () => ({ content: [] }) };
    const slow = await stalling(store, clock, { again });
    slow.stall();
    const created = slow.start('again');
    await turns();
    const other = await rig(
      { blocker: never, again },
      { store, clock, inProcess: { concurrency: 1 } },
    );
    await other.start('blocker');
    await clock.advance(60_000);
    await other.engine.close(0);
    slow.resume();
    while (lost === 0) await clock.advance(100);

    slow.acknowledge();
    const { id } = await created;
    await clock.advance(10_000);
    expect(await slow.engine.get(ANN, id)).toMatchObject({ status: 'completed', fence: 4 });
  });

  it('frees the reserved slot when this worker has taken the task over itself', async () => {
    const [store, clock] = [createMemoryStore(), manualClock()];
    const again: TaskHandler = { retryable: true, run: () => ({ content: [] }) };
    const slow = await stalling(store, clock, { again });
    slow.stall();
    const created = slow.start('again');
    await turns();
    const other = await rig(
      { blocker: never, again },
      { store, clock, inProcess: { concurrency: 1 } },
    );
    await other.start('blocker');
    await clock.advance(60_000);
    await other.engine.close(0);
    slow.resume();
    await clock.advance(10_000);

    slow.acknowledge();
    const { id } = await created;
    await clock.advance(10_000);
    expect(await slow.engine.get(ANN, id)).toMatchObject({ status: 'completed', fence: 4 });
  });
});

describe('a worker without a lease', () => {
  it('stores no task under its name, because no worker would find it', async () => {
    const memory = createMemoryStore();
    let full = true;
    const inserted: string[] = [];
    const store: TaskStore = {
      ...memory,
      renew: (worker, until) =>
        full ? Promise.reject(new Error('disk full')) : memory.renew(worker, until),
      insert(record, caps) {
        inserted.push(record.id);
        return memory.insert(record, caps);
      },
    };
    const tasks = await rig({ tool: heldTool().run }, { store });
    await expect(tasks.start('tool')).rejects.toMatchObject({ reason: 'internal' });
    expect(inserted).toEqual([]);
    full = false;
    await tasks.start('tool');
    expect(inserted).toHaveLength(1);
  });
});

/** Two workers on one store, and a switch that makes it fail for both. */
async function pair(tools: Parameters<typeof rig>[0]) {
  const [shared, clock] = [sharedStore(), manualClock()];
  let away = false;
  const store = Object.fromEntries(
    Object.entries(shared).map(([name, operation]) => [
      name,
      (...args: never[]) =>
        away && name !== 'watch' && name !== 'now'
          ? Promise.reject(new Error('The database is away'))
          : (operation as (...all: never[]) => unknown)(...args),
    ]),
  ) as unknown as TaskStore;
  const here = await rig(tools, { store, clock });
  await clock.advance(1_000);
  const there = await rig(tools, { store, clock });
  return {
    ...{ here, there, clock },
    outage: async (ms: number) => {
      away = true;
      await clock.advance(ms);
      away = false;
    },
  };
}

describe('workers whose leases ran out while the store was away', () => {
  it.each([9_000, 12_000, 60_000])(
    'keep their tasks after %i ms, because the others were away too',
    async (ms) => {
      const tool = heldTool();
      const { here, there, clock, outage } = await pair({ tool: tool.run });
      const tasks = await Promise.all([here, there].map(({ start }) => start('tool')));
      await outage(ms);
      await clock.advance(30_000);
      tool.release();
      await clock.advance(10_000);
      for (const { id } of tasks) {
        expect(await here.engine.get(ANN, id)).toMatchObject({ status: 'completed', fence: 1 });
      }
    },
  );

  it('take over the tasks of one that does not come back', async () => {
    const tool = heldTool();
    const [store, clock] = [sharedStore(), manualClock()];
    let away = false;
    const failing: TaskStore = {
      ...store,
      renew: (...lease) => (away ? Promise.reject(new Error('away')) : store.renew(...lease)),
    };
    const tools = { tool: { run: tool.run, retryable: true } };
    const lost = await mortalRig(store, clock, tools);
    const { id } = await lost.start('tool');
    const left = await rig(tools, { store: failing, clock });
    await clock.advance(1_000);
    away = true;
    lost.kill();
    await clock.advance(15_000);
    away = false;
    await clock.advance(15_000);
    tool.release();
    await turns();
    expect(await left.engine.get(ANN, id)).toMatchObject({ status: 'completed', attempt: 2 });
  });

  it('have a lease again before they store a task', async () => {
    const tool = heldTool();
    const { here, there, clock, outage } = await pair({ tool: tool.run });
    await outage(14_500);
    const { id } = await here.start('tool');
    await clock.advance(30_000);
    tool.release();
    await turns();
    expect(await there.engine.get(ANN, id)).toMatchObject({ status: 'completed', fence: 1 });
  });
});

describe('attempts', () => {
  /** Ends a process without a word: its lease runs out, and its clock and store are taken from it. */
  async function lose(store: TaskStore, clock: ManualClock, tools: Parameters<typeof rig>[0]) {
    let dead = false;
    const guarded = Object.fromEntries(
      Object.entries(store).map(([name, operation]) => [
        name,
        (...args: never[]) =>
          dead ? never() : (operation as (...all: never[]) => unknown)(...args),
      ]),
    ) as unknown as TaskStore;
    const made = await rig(tools, {
      store: guarded,
      clock: { ...clock, wake: (ms, callback) => clock.wake(ms, () => !dead && callback()) },
      inProcess: { concurrency: 1 },
    });
    return {
      ...made,
      async lose() {
        await clock.advance(1);
        dead = true;
        made.engine.close = () => Promise.resolve();
        await clock.advance(15_000);
      },
    };
  }

  it('do not count restarts while the task waits for a user', async () => {
    const [store, clock] = [createMemoryStore(), manualClock()];
    const asks: TaskHandler = {
      retryable: true,
      run: async ({ task }) => ({
        content: [],
        answer: await task.elicit({}),
        attempt: task.attempt,
      }),
    };
    let last = await lose(store, clock, { asks });
    const { id } = await last.start('asks');
    for (let restart = 0; restart < 5; restart += 1) {
      await last.lose();
      last = await lose(store, clock, { asks });
      await clock.advance(15_000);
    }
    expect(await last.engine.get(ANN, id)).toMatchObject({ status: 'input_required', attempt: 1 });
    await last.engine.answer(ANN, id, { 'input-1': { result: { action: 'accept' } } });
    expect((await last.engine.wait(ANN, id)).status).toBe('completed');
  });

  it.each([true, false])(
    'do not count restarts while the task waits for its turn (retryable: %s)',
    async (retryable) => {
      const [store, clock] = [createMemoryStore(), manualClock()];
      const tools = {
        blocker: { run: never, retryable: true },
        queued: { run: never, retryable },
      };
      let last = await lose(store, clock, tools);
      await last.start('blocker');
      const { id } = await last.start('queued');
      for (let restart = 0; restart < 2; restart += 1) {
        await last.lose();
        last = await lose(store, clock, tools);
        await clock.advance(1);
      }
      expect(await last.engine.get(ANN, id)).toMatchObject({ status: 'working', attempt: 1 });
      await last.lose();

      let runs = 0;
      const queued = { retryable, run: () => ({ content: [], runs: (runs += 1) }) };
      const after = await rig({ blocker: never, queued }, { store, clock });
      await clock.advance(1);
      expect((await after.engine.wait(ANN, id)).status).toBe('completed');
      expect(runs).toBe(1);
    },
  );
});

describe('a worker that lost its lease and can still read', () => {
  it('starts no step that the next worker has finished', async () => {
    const [shared, clock] = [createMemoryStore(), manualClock()];
    const pause = (ms: number) => new Promise<void>((resolve) => clock.wake(ms, resolve));
    const [finished, again] = [new Set<string>(), new Set<string>()];
    const handler: TaskHandler['run'] = async ({ task }) => {
      // The record of this step is the last proof of the first worker that it holds the task.
      await task.step('first', () => pause(9_500));
      if (task.attempt === 1) await pause(800);
      await task.step('second', () => {
        if (finished.has(task.id)) again.add(`attempt ${task.attempt}`);
      });
      finished.add(task.id);
      return { content: [] };
    };
    let renewals = 0;
    const refusing: TaskStore = {
      ...shared,
      renew: (...lease) =>
        (renewals += 1) === 1 ? shared.renew(...lease) : Promise.reject(new Error('no answer')),
    };
    const first = await rig({ handler }, { store: refusing, clock });
    const { id } = await first.start('handler');
    await turns();
    const second = await rig({ handler }, { store: shared, clock });
    await clock.advance(60_000);
    expect(await second.engine.get(ANN, id)).toMatchObject({ status: 'completed', attempt: 2 });
    expect([...again]).toEqual([]);
  });
});

describe('the lease goes on', () => {
  it('while a worker that stops lets its handlers finish', async () => {
    const [store, clock, tool] = [sharedStore(), manualClock(), heldTool()];
    const first = await rig({ tool: { run: tool.run, retryable: true } }, { store, clock });
    const { id } = await first.start('tool');
    await clock.advance(1);
    const closing = first.engine.close(60_000);
    const second = await rig({ tool: { run: tool.run, retryable: true } }, { store, clock });
    await clock.advance(30_000);
    tool.release();
    await closing;
    expect(await second.engine.get(ANN, id)).toMatchObject({ status: 'completed', attempt: 1 });
    expect(tool.contexts).toHaveLength(1);
  });

  it('while a worker takes over more than it can within a lease', async () => {
    const { store, clock, ids } = await orphaned(300, 'again');
    const leases: number[] = [];
    let isSlow = true;
    const slow: TaskStore = {
      ...store,
      async orphans(now, limit) {
        if (isSlow) await new Promise<void>((resolve) => clock.wake(15_000, resolve));
        return store.orphans(now, limit);
      },
      renew(worker, until) {
        leases.push(until);
        return store.renew(worker, until);
      },
    };
    const starting = rig({ again: () => ({ content: [] }) }, { store: slow, clock });
    await clock.advance(60_000);
    isSlow = false;
    await clock.advance(30_000);
    const after = await starting;
    for (const id of ids) expect((await after.engine.get(ANN, id)).status).toBe('completed');
    expect(leases.slice(1).every((lease, n) => lease - (leases[n] ?? 0) <= 2_500)).toBe(true);
  });
});

describe('a task whose tool only other processes have', () => {
  /** Two processes on one store: `old` lacks the tool. The task was left by a third. */
  async function deployed() {
    const [store, clock] = [sharedStore(), manualClock()];
    const before = await rig(
      { blocker: never, fresh: never },
      { store, inProcess: { concurrency: 1 } },
    );
    await before.start('blocker');
    const { id } = await before.start('fresh');
    await before.engine.close(0);
    const old = await rig({ blocker: never }, { store, clock });
    return { store, clock, old, id };
  }

  it('is left to them, as in a rolling deployment', async () => {
    const { store, clock, old, id } = await deployed();
    await clock.advance(30_000);
    expect((await old.engine.get(ANN, id)).status).toBe('working');
    const fresh = () => ({ content: [] });
    await rig({ blocker: never, fresh }, { store, clock });
    await clock.advance(30_000);
    expect((await old.engine.get(ANN, id)).status).toBe('completed');
  });

  it('fails when no process takes it for a minute', async () => {
    const { clock, old, id } = await deployed();
    await clock.advance(90_000);
    expect((await old.engine.get(ANN, id)).status).toBe('failed');
  });

  it.each(STORE_KINDS)('fails at once with $name, which no other process serves', async (kind) => {
    const { open, remove } = kind.place();
    const store = await open();
    onTestFinished(async () => {
      await store.close();
      await remove();
    });
    const before = await rig({ gone: { run: never, retryable: true } }, { store });
    const { id } = await before.start('gone');
    await before.engine.close(0);
    const after = await rig({}, { store });
    await turns(30);
    expect((await after.engine.get(ANN, id)).status).toBe('failed');
    await after.engine.close(0);
  });
});
