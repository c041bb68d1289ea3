import { describe, expect, it } from 'vitest';

import { createMemoryStore } from '../../runtime/stores/index.js';
import {
  outcomeOf,
  type TaskHandler,
  type TaskLimits,
  type TaskStore,
} from '../../runtime/tasks/index.js';
import { attemptsWithoutProgress, isAsleep } from '../../runtime/tasks/steps.js';
import { sampleTask } from '../../runtime/testing/testkit/index.js';
import {
  ANN,
  ending,
  heldTool,
  manualClock,
  mortalRig,
  rig,
  turns,
  type ManualClock,
  type Tools,
} from './support.js';

const LEASE_MS = 10_000;
const never = () => new Promise<never>(() => undefined);

/** A rig whose process is lost a millisecond after the last thing that a test saw. */
async function mortal(store: TaskStore, clock: ManualClock, tools: Tools) {
  const made = await mortalRig(store, clock, tools);
  return {
    ...made,
    async lose() {
      await clock.advance(1);
      made.kill();
    },
  };
}

/** What a step does under which limits, and the reason for which it fails. */
const TOO_MUCH: readonly [string, Partial<TaskLimits>, () => unknown, string][] = [
  ['a result that is too large', { stepsBytes: 10 }, () => 'x'.repeat(20), 'invalid_result'],
  ['results that are too large together', { stepsBytes: 10 }, () => 'x'.repeat(6), 'limit'],
  ['too many steps', { steps: 1 }, () => 1, 'limit'],
  ['a result that is no JSON', {}, () => 1n, 'invalid_result'],
];

describe('a step', () => {
  it('is run once, also when its process is lost after it and the tool is not retryable', async () => {
    const [store, clock] = [createMemoryStore(), manualClock()];
    const calls: string[] = [];
    const charge =
      (then: () => unknown): TaskHandler['run'] =>
      async ({ task }) => {
        const receipt = await task.step('charge', ({ idempotencyKey }) => {
          calls.push(idempotencyKey);
          return { amount: 5, at: new Date(0) };
        });
        await then();
        return { content: [], receipt, attempt: task.attempt };
      };
    const before = await mortal(store, clock, { charge: charge(never) });
    const { id } = await before.start('charge');
    await before.lose();
    const after = await rig({ charge: charge(() => undefined) }, { store, clock });
    await clock.advance(3 * LEASE_MS);

    const task = await after.engine.get(ANN, id);
    expect(task.status).toBe('completed');
    expect(outcomeOf(task)).toEqual({
      result: {
        content: [],
        receipt: { amount: 5, at: '1970-01-01T00:00:00.000Z' },
        attempt: 2,
      },
    });
    expect(calls).toEqual([`${id}/charge`]);
    expect(after.audit.some(({ type }) => type === 'recovered')).toBe(true);
  });

  it('returns what JSON makes of its result, in the first run too', async () => {
    const seen: unknown[] = [];
    const tasks = await rig({
      values: async ({ task }) => {
        for (const value of [undefined, null, 0, '', 'a', [1], new Date(0)]) {
          seen.push(await task.step(() => value));
        }
        return { content: [] };
      },
    });
    const { id } = await tasks.start('values');
    await tasks.engine.wait(ANN, id);
    expect(seen).toEqual([undefined, null, 0, '', 'a', [1], '1970-01-01T00:00:00.000Z']);
    expect((await tasks.engine.get(ANN, id)).steps.map(({ name }) => name)).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((n) => `step-${n}`),
    );
  });

  it('runs again, with the same idempotency key, when its process is lost before the record', async () => {
    const [store, clock] = [createMemoryStore(), manualClock()];
    const keys: string[] = [];
    const charge =
      (work: () => unknown): TaskHandler['run'] =>
      async ({ task }) => {
        await task.step('charge', ({ idempotencyKey }) => {
          keys.push(idempotencyKey);
          return work();
        });
        return { content: [] };
      };
    const before = await mortal(store, clock, { charge: charge(never) });
    const { id } = await before.start('charge');
    await before.lose();
    const after = await rig({ charge: charge(() => 1) }, { store, clock });
    await clock.advance(3 * LEASE_MS);
    expect((await after.engine.get(ANN, id)).status).toBe('completed');
    expect(keys).toEqual([`${id}/charge`, `${id}/charge`]);
  });

  it.each([
    [{ steps: true }, 'completed'],
    [{ retryable: true }, 'completed'],
    [{}, 'failed'],
  ] as const)('that was not reached: a tool declared %j is %s', async (declared, status) => {
    const [store, clock] = [createMemoryStore(), manualClock()];
    const tool = (before: () => unknown): Tools => ({
      charge: {
        ...declared,
        async run({ task }) {
          await before();
          return { content: [], paid: await task.step('charge', () => true) };
        },
      },
    });
    const before = await mortal(store, clock, tool(never));
    const { id } = await before.start('charge');
    await before.lose();
    const after = await rig(
      tool(() => undefined),
      { store, clock },
    );
    await clock.advance(3 * LEASE_MS);
    expect(await after.engine.get(ANN, id)).toMatchObject({ status });
  });

  it('of a tool declared `steps` is written once, and without the declaration twice', async () => {
    const writes = async (steps: boolean): Promise<number> => {
      const run: TaskHandler['run'] = async ({ task }) => {
        await task.step('charge', () => true);
        return { content: [] };
      };
      const tasks = await rig({ charge: { steps, run } });
      const { task } = await ending(tasks, await tasks.start('charge'));
      return task.version;
    };
    expect([await writes(true), await writes(false)]).toEqual([3, 4]);
  });

  it('runs although each operation of the store takes longer than a second', async () => {
    const [memory, clock] = [createMemoryStore(), manualClock()];
    const slowly =
      <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        await new Promise<void>((resolve) => clock.wake(1_200, resolve));
        return work(...args);
      };
    let reads = 0;
    const store: TaskStore = {
      ...memory,
      update: slowly((next) => memory.update(next)),
      get: slowly((key) => {
        reads += 1;
        return memory.get(key);
      }),
    };
    const run: TaskHandler['run'] = async ({ task }) => {
      await task.step('one', () => 1);
      return { content: [] };
    };
    const { start } = await rig({ tool: run }, { store, clock });
    const task = await start('tool');
    await clock.advance(10_000);
    expect(await memory.get(task)).toMatchObject({ status: 'completed' });
    expect(reads).toBe(1);
  });

  it('that was not reached when the server closes is left to the next', async () => {
    const store = createMemoryStore();
    const before = await rig({ charge: { steps: true, run: never } }, { store });
    const { id } = await before.start('charge');
    await turns();
    await before.engine.close(0);
    expect(await store.get({ ...ANN, id })).toMatchObject({ status: 'working', worker: '' });
  });

  it('that throws is not recorded and may be tried again', async () => {
    let tries = 0;
    const tasks = await rig({
      flaky: async ({ task }) => {
        const attempt = (): Promise<number> =>
          task.step('flaky', () => {
            tries += 1;
            if (tries < 3) throw new Error(`try ${tries}`);
            return tries;
          });
        const value = await attempt().catch(attempt).catch(attempt);
        return { content: [], value };
      },
    });
    const { outcome } = await ending(tasks, await tasks.start('flaky'));
    expect(outcome).toEqual({ result: { content: [], value: 3 } });
  });

  it('has a name that no other step of the run has', async () => {
    const tasks = await rig({
      twice: async ({ task }) => {
        await task.step('same', () => 1);
        return task.step('same', () => 2);
      },
    });
    const { outcome } = await ending(tasks, await tasks.start('twice'));
    expect(outcome).toMatchObject({
      error: { code: -32602, message: 'A step of this run has the name same already' },
    });
  });

  it.each(TOO_MUCH)('with %s fails', async (_, limits, work, reason) => {
    const tasks = await rig(
      {
        greedy: async ({ task }) => {
          await task.step('one', work);
          await task.step('two', work);
          return { content: [] };
        },
      },
      { limits },
    );
    const { outcome } = await ending(tasks, await tasks.start('greedy'));
    expect(outcome).toMatchObject({ error: { data: { reason } } });
  });

  it('shows in the status message, unless the handler sets one itself, and in the audit', async () => {
    const gate = heldTool();
    const tool =
      (own: boolean): TaskHandler['run'] =>
      async (context) => {
        if (own) await context.task.setStatus('Half way');
        await context.task.step('load', () => 1);
        return gate.run(context);
      };
    const tasks = await rig({ quiet: tool(false), own: tool(true) });
    const [quiet, own] = [await tasks.start('quiet'), await tasks.start('own')];
    await turns(20);
    expect((await tasks.engine.get(ANN, quiet.id)).statusMessage).toBe('Step load is finished');
    expect((await tasks.engine.get(ANN, own.id)).statusMessage).toBe('Half way');
    expect(tasks.audit).toContainEqual(
      expect.objectContaining({ type: 'step_finished', taskId: quiet.id, reason: 'load' }),
    );
    gate.release();
  });

  it('of an earlier run that this run does not come to is reported', async () => {
    const [store, clock] = [createMemoryStore(), manualClock()];
    const tool =
      (names: readonly string[], then: () => unknown): TaskHandler['run'] =>
      async ({ task }) => {
        for (const name of names) await task.step(name, () => name);
        await then();
        return { content: [] };
      };
    const before = await mortal(store, clock, { tool: tool(['a', 'b', 'c'], never) });
    const { id } = await before.start('tool');
    await before.lose();
    const after = await rig({ tool: tool(['c', 'd'], () => undefined) }, { store, clock });
    await clock.advance(3 * LEASE_MS);
    expect((await after.engine.get(ANN, id)).status).toBe('completed');
    expect(after.audit).toContainEqual(
      expect.objectContaining({
        type: 'steps_changed',
        taskId: id,
        reason: 'This run did not come to: a, b',
      }),
    );
  });

  it('after its run was taken over rejects and records nothing', async () => {
    const gate = heldTool();
    let late: Promise<unknown> | undefined;
    const tasks = await rig({
      tool: async (context) => {
        await gate.run(context);
        late = context.task.step('late', () => 1);
        late.catch(() => undefined);
        return { content: [] };
      },
    });
    const { id } = await tasks.start('tool');
    await turns();
    await tasks.engine.cancel(ANN, id);
    gate.release();
    await turns();
    await expect(late).rejects.toMatchObject({ reason: 'not_running' });
    expect((await tasks.engine.get(ANN, id)).steps).toEqual([]);
  });

  it('that finishes lets a task be lost as often again', async () => {
    const [store, clock] = [createMemoryStore(), manualClock()];
    let runs = 0;
    const tool: TaskHandler['run'] = async ({ task }) => {
      runs += 1;
      for (let n = 1; n < runs; n += 1) await task.step(`part ${n}`, () => n);
      if (runs < 8) await never();
      return { content: [] };
    };
    let last = await mortal(store, clock, { tool: { run: tool, retryable: true } });
    const { id } = await last.start('tool');
    while (runs < 8) {
      await last.lose();
      last = await mortal(store, clock, { tool: { run: tool, retryable: true } });
      await clock.advance(3 * LEASE_MS);
    }
    expect(await last.engine.get(ANN, id)).toMatchObject({ status: 'completed', attempt: 8 });
  });

  it('that never finishes does not', async () => {
    const [store, clock] = [createMemoryStore(), manualClock()];
    const tool: TaskHandler['run'] = async ({ task }) => {
      await task.step('first', () => 1);
      return task.step('deadly', never);
    };
    let last = await mortal(store, clock, { tool });
    const { id } = await last.start('tool');
    for (let restart = 0; restart < 5; restart += 1) {
      await last.lose();
      last = await mortal(store, clock, { tool });
      await clock.advance(3 * LEASE_MS);
    }
    const task = await last.engine.get(ANN, id);
    expect(task.status).toBe('failed');
    expect(task.statusMessage).toContain('given up');
  });
});

describe('a pause', () => {
  const pausing =
    (ms: number | Date): TaskHandler['run'] =>
    async ({ task }) => {
      await task.sleep(ms);
      return { content: [], attempt: task.attempt };
    };

  it('holds no slot', async () => {
    const clock = manualClock();
    const tasks = await rig(
      { pause: pausing(60_000), quick: () => ({ content: [] }) },
      { clock, inProcess: { concurrency: 1 } },
    );
    const paused = await tasks.start('pause');
    await clock.advance(1);
    const quick = await tasks.start('quick');
    await clock.advance(1);
    expect((await tasks.engine.get(ANN, quick.id)).status).toBe('completed');
    expect(await tasks.engine.get(ANN, paused.id)).toMatchObject({
      status: 'working',
      statusMessage: `Waiting until ${new Date(1_700_000_060_000).toISOString()}`,
    });
    await clock.advance(60_000);
    expect((await tasks.engine.get(ANN, paused.id)).status).toBe('completed');
  });

  it('ends when it would have ended without the restarts, which count as no attempts', async () => {
    const [store, clock] = [createMemoryStore(), manualClock()];
    const start = clock.now();
    let last = await mortal(store, clock, { pause: pausing(600_000) });
    const { id } = await last.start('pause');
    for (let restart = 0; restart < 6; restart += 1) {
      await last.lose();
      last = await mortal(store, clock, { pause: pausing(600_000) });
      await clock.advance(3 * LEASE_MS);
    }
    await clock.advance(start + 599_000 - clock.now());
    expect((await last.engine.get(ANN, id)).status).toBe('working');
    await clock.advance(2_000);
    expect(await last.engine.get(ANN, id)).toMatchObject({ status: 'completed', attempt: 1 });
  });

  it('of a task that is cancelled ends with it', async () => {
    let ended: unknown;
    const tasks = await rig({
      pause: async ({ task }) => {
        await task.sleep(60_000).catch((error: unknown) => (ended = error));
        return { content: [] };
      },
    });
    const { id } = await tasks.start('pause');
    await turns();
    await tasks.engine.cancel(ANN, id);
    await turns();
    expect(ended).toMatchObject({ reason: 'not_running' });
  });

  it('beside another gives the slot up once, and back once when both end with the task', async () => {
    const clock = manualClock();
    const ended: unknown[] = [];
    const tasks = await rig(
      {
        both: async ({ task }) => {
          const all = [task.sleep(60_000), task.sleep(90_000)];
          for (const { status } of await Promise.allSettled(all)) ended.push(status);
          return { content: [] };
        },
        quick: () => ({ content: [] }),
      },
      { clock, inProcess: { concurrency: 1 } },
    );
    const { id } = await tasks.start('both');
    await clock.advance(60_001);
    const during = await tasks.start('quick');
    await clock.advance(1);
    expect((await tasks.engine.get(ANN, during.id)).status).toBe('completed');
    await tasks.engine.cancel(ANN, id);
    await clock.advance(1);
    expect(ended).toEqual(['fulfilled', 'rejected']);
    const after = await tasks.start('quick');
    expect(after).not.toHaveProperty('queued');
    await clock.advance(90_000);
    expect((await tasks.engine.get(ANN, after.id)).status).toBe('completed');
  });

  it.each([
    ['after the task has expired', 3_600_000, /expires at/],
    ['of no length', NaN, /Not a pause/],
  ])('%s is refused', async (_, ms, message) => {
    const tasks = await rig({ pause: pausing(ms) });
    const { outcome } = await ending(tasks, await tasks.start('pause'));
    expect(JSON.stringify(outcome)).toMatch(message);
  });

  it('that is over already takes no time', async () => {
    const tasks = await rig({ pause: pausing(new Date(0)) }, { clock: manualClock() });
    const task = await tasks.start('pause');
    await turns();
    expect(await tasks.engine.get(ANN, task.id)).toMatchObject({ status: 'completed', steps: [] });
  });

  it('beside a question leaves the slot once and takes it once', async () => {
    const clock = manualClock();
    const tasks = await rig(
      {
        both: async ({ task }) => {
          const [answer] = await Promise.all([task.elicit({}), task.sleep(60_000)]);
          return { content: [], answer };
        },
        quick: () => ({ content: [] }),
      },
      { clock, inProcess: { concurrency: 1 } },
    );
    const { id } = await tasks.start('both');
    await clock.advance(1);
    await tasks.engine.answer(ANN, id, { 'input-1': { result: { action: 'accept' } } });
    const during = await tasks.start('quick');
    await clock.advance(1);
    expect((await tasks.engine.get(ANN, during.id)).status).toBe('completed');
    await clock.advance(60_000);
    expect((await tasks.engine.get(ANN, id)).status).toBe('completed');
    const after = await tasks.start('quick');
    await clock.advance(1);
    expect((await tasks.engine.get(ANN, after.id)).status).toBe('completed');
  });
});

describe('the record of a step', () => {
  /** A run with these limits, whose handler does `work`. */
  async function ran(work: TaskHandler['run'], limits: Partial<TaskLimits> = {}) {
    const clock = manualClock();
    const tasks = await rig({ tool: work }, { clock, limits });
    const { id } = await tasks.start('tool');
    await clock.advance(1_000);
    const task = await tasks.engine.get(ANN, id);
    return { task, outcome: outcomeOf(task), clock };
  }
  const content: readonly never[] = [];

  it('has its name, its attempt, its result and its time', async () => {
    const { task, clock } = await ran(async ({ task }) => {
      await task.step('one', () => ({ a: 1 }));
      await task.step('two', () => undefined);
      await task.sleep(500);
      return { content };
    });
    const began = clock.now() - 1_000;
    expect(task.steps).toEqual([
      { name: 'one', attempt: 1, result: '{"a":1}', at: began },
      { name: 'two', attempt: 1, result: '', at: began },
      { name: 'sleep-1', attempt: 1, until: began + 500, at: began },
    ]);
  });

  it.each<[string, Partial<TaskLimits>, readonly unknown[], object | undefined]>([
    ['as many as the limit', { steps: 2 }, [1, 2], undefined],
    [
      'more',
      { steps: 2 },
      [1, 2, 3],
      {
        code: 429,
        message: 'A task may have 2 steps',
        data: { reason: 'limit', limit: 'steps', max: 2 },
      },
    ],
    ['as large as the limit together', { stepsBytes: 10 }, ['xxx', 'xxx'], undefined],
    [
      'larger together',
      { stepsBytes: 10 },
      ['xxx', 'xxxx'],
      {
        code: 429,
        message: "The results of a task's steps may have 10 bytes",
        data: { reason: 'limit', limit: 'stepsBytes', max: 10 },
      },
    ],
    ['as large as the limit alone', { stepsBytes: 10 }, ['x'.repeat(8)], undefined],
    [
      'larger alone',
      { stepsBytes: 10 },
      ['x'.repeat(9)],
      {
        code: -32603,
        message: 'The result of step step-1 is too large: 11 bytes, limit 10',
        data: { reason: 'invalid_result' },
      },
    ],
  ])('is bounded: %s', async (_, limits, values, error) => {
    const { outcome } = await ran(async ({ task }) => {
      for (const value of values) await task.step(() => value);
      return { content };
    }, limits);
    expect(outcome).toEqual(error === undefined ? { result: { content } } : { error });
  });

  it('counts pauses among the steps, with numbers of their own', async () => {
    const { task, outcome } = await ran(
      async ({ task }) => {
        await task.sleep(10);
        await task.step(() => 1);
        await task.sleep(10);
        return { content };
      },
      { steps: 2 },
    );
    expect(task.steps.map(({ name }) => name)).toEqual(['sleep-1', 'step-1']);
    expect(outcome).toMatchObject({ error: { data: { limit: 'steps' } } });
  });

  it('may not share its name with a pause', async () => {
    const { outcome } = await ran(async ({ task }) => {
      await task.step('sleep-1', () => 1);
      await task.sleep(10);
      return { content };
    });
    expect(outcome).toMatchObject({
      error: { code: -32602, message: 'A step of this run has the name sleep-1 already' },
    });
  });

  it('is shown by the status message, and a pause by its end, until it is over', async () => {
    const messages: unknown[] = [];
    const clock = manualClock();
    const tasks = await rig(
      {
        tool: async ({ task }) => {
          await task.sleep(1_000);
          await task.step('one', () => 1);
          return { content };
        },
      },
      { clock },
    );
    const { id } = await tasks.start('tool');
    await tasks.engine.subscribe(ANN, id, (event) => {
      if (event.type === 'changed') messages.push(event.task.statusMessage);
    });
    await clock.advance(2_000);
    const until = new Date(clock.now() - 1_000).toISOString();
    expect(messages).toEqual([`Waiting until ${until}`, 'Step one is finished', undefined]);
  });
});

describe('the length of a pause', () => {
  /** When a handler that pauses so long in a task that lives 10 s goes on, in milliseconds. */
  async function paused(duration: (now: number) => number | Date) {
    const clock = manualClock();
    const began = clock.now();
    let error: unknown;
    let end: number | undefined;
    const tasks = await rig(
      {
        tool: async ({ task }) => {
          await task.sleep(duration(began)).then(
            () => (end = clock.now() - began),
            (reason: unknown) => (error = reason),
          );
          return { content: [] };
        },
      },
      { clock },
    );
    await tasks.start('tool', { ttl: 10_000 });
    await clock.advance(9_999);
    return { end, error };
  }

  it.each<[string, (now: number) => number | Date, number]>([
    ['in milliseconds', () => 500, 500],
    ['in parts of a millisecond, rounded up', () => 499.2, 500],
    ['until a time', (now) => new Date(now + 700), 700],
    ['of nothing', () => 0, 0],
    ['that is over', (now) => new Date(now - 5), 0],
    ['until the last moment of the task', () => 9_999, 9_999],
  ])('may be %s', async (_, duration, expected) => {
    expect(await paused(duration)).toEqual({ end: expected, error: undefined });
  });

  it.each<[string, (now: number) => number | Date, string]>([
    ['no number', () => NaN, 'Not a pause: NaN'],
    ['without end', () => Infinity, 'Not a pause: Infinity'],
    ['no date', () => new Date(NaN), 'Not a pause: Invalid Date'],
    [
      'until the task expires',
      () => 10_000,
      `The task expires at ${new Date(1_700_000_010_000).toISOString()}, before the pause is over`,
    ],
  ])('may not be %s', async (_, duration, message) => {
    expect((await paused(duration)).error).toMatchObject({ reason: 'invalid_params', message });
  });
});

describe('attempts without progress', () => {
  const step = (attempt: number, result?: string) => ({
    name: `of ${attempt}`,
    attempt,
    ...(result !== undefined && { result }),
  });

  it.each([
    [1, [], 1],
    [3, [], 3],
    [3, [step(3)], 3],
    [3, [step(1, '1')], 3],
    [3, [step(2, '1')], 2],
    [3, [step(3, '')], 1],
    [3, [step(3, '1'), step(1, '1')], 1],
  ])('in attempt %d after %j are %d', (attempt, steps, expected) => {
    expect(attemptsWithoutProgress(sampleTask(1, { attempt, steps }))).toBe(expected);
  });

  it('are not those of a task in a pause', () => {
    const task = sampleTask(1, { steps: [step(1, '1'), { name: 'a', attempt: 1, until: 100 }] });
    expect([99, 100, 101].map((now) => isAsleep(task, now))).toEqual([true, false, false]);
    expect(isAsleep(sampleTask(1), -1)).toBe(false);
  });
});
