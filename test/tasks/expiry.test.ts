import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../runtime/stores/index.js';
import { createExpirer, createTimerQueue, deferred, retry } from '../../runtime/tasks/clock.js';
import type { TaskStore } from '../../runtime/tasks/index.js';
import { taskError } from '../../runtime/tasks/errors.js';
import { NO_CAPS, sampleTask } from '../../runtime/testing/testkit/index.js';
import { manualClock } from './support.js';

const START = 1_700_000_000_000;

/** An expirer, and when it asked the store, in milliseconds after the start. */
function expiring(parts: Partial<TaskStore> = {}) {
  const clock = manualClock(START);
  const memory = createMemoryStore();
  const asked: [at: number, limit: number][] = [];
  const faults: unknown[] = [];
  const removed: string[] = [];
  const store: TaskStore = {
    ...memory,
    ...parts,
    expire(now, limit) {
      asked.push([now - START, limit]);
      return (parts.expire ?? memory.expire)(now, limit);
    },
  };
  const expirer = createExpirer({
    store,
    clock,
    timers: createTimerQueue(clock),
    onRemoved: ({ id }) => removed.push(id),
    onFault: (error) => faults.push(error),
  });
  const insert = async (n: number, ttl: number): Promise<void> => {
    await memory.insert(sampleTask(n, { createdAt: START, ttl }), NO_CAPS);
    expirer.due(START + ttl);
  };
  return { clock, expirer, asked, faults, removed, insert, at: () => asked.map(([at]) => at) };
}

describe('expired tasks', () => {
  it('are removed at their times, in batches, and nothing is asked between', async () => {
    const { clock, asked, removed, insert } = expiring();
    await clock.advance(0);
    await insert(1, 5_000);
    await insert(2, 2_000);
    await insert(3, 9_000);
    await clock.advance(8_999);
    expect(asked).toEqual([
      [0, 500],
      [2_000, 500],
      [5_000, 500],
    ]);
    expect(removed).toEqual(['task-000002', 'task-000001']);
    await clock.advance(1e6);
    expect(asked.map(([at]) => at)).toEqual([0, 2_000, 5_000, 9_000]);
  });

  it('are looked for once for one moment, and not again for a later one', async () => {
    const { clock, expirer, at } = expiring();
    await clock.advance(0);
    for (const time of [5_000, 5_000, 7_000, 4_000]) expirer.due(START + time);
    await clock.advance(4_000);
    expect(at()).toEqual([0, 4_000]);
  });

  it('of other processes are looked for every minute', async () => {
    const { clock, at } = expiring({ watch: () => () => undefined });
    await clock.advance(150_000);
    expect(at()).toEqual([0, 60_000, 120_000]);
  });

  it('are looked for again a second after a fault, until the store works', async () => {
    let broken = true;
    const memory = createMemoryStore();
    const { clock, at, faults } = expiring({
      expire: (now, limit) =>
        broken ? Promise.reject(new Error('EIO')) : memory.expire(now, limit),
    });
    await clock.advance(2_500);
    expect([at(), faults.length]).toEqual([[0, 1_000, 2_000], 3]);
    broken = false;
    await clock.advance(10_000);
    expect([at(), faults.length]).toEqual([[0, 1_000, 2_000, 3_000], 3]);
  });

  it('are looked for at once on demand, which puts the next look off', async () => {
    const { clock, expirer, at } = expiring({ watch: () => () => undefined });
    await clock.advance(30_000);
    await expirer.sweep();
    await clock.advance(59_999);
    expect(at()).toEqual([0, 30_000]);
    await clock.advance(1);
    expect(at()).toEqual([0, 30_000, 90_000]);
  });
});

describe('work that the store fails', () => {
  const tried = (wanted: () => boolean = () => true) => {
    const clock = manualClock(START);
    const at: number[] = [];
    const faults: unknown[] = [];
    let result: unknown;
    let outcome: () => Promise<unknown> = () => Promise.reject(new Error('EIO'));
    const dependencies = {
      timers: createTimerQueue(clock),
      report: (e: unknown) => faults.push(e),
    };
    const done = retry(dependencies, wanted, () => {
      at.push(clock.now() - START);
      return outcome();
    }).then((value) => (result = ['done', value]));
    done.catch(() => undefined);
    return {
      clock,
      at,
      faults,
      done,
      result: () => result,
      succeed: (next: typeof outcome) => (outcome = next),
    };
  };

  it('is tried again at growing intervals, up to five seconds', async () => {
    const { clock, at, faults, result, succeed } = tried();
    await clock.advance(20_000);
    expect(at).toEqual([0, 100, 300, 700, 1_500, 3_100, 6_300, 11_300, 16_300]);
    expect(faults).toHaveLength(9);
    succeed(() => Promise.resolve(7));
    await clock.advance(5_000);
    expect(result()).toEqual(['done', 7]);
    await clock.advance(60_000);
    expect(at).toHaveLength(10);
  });

  it('is not tried any more when it is not wanted', async () => {
    let wanted = true;
    const { clock, at, result } = tried(() => wanted);
    await clock.advance(150);
    wanted = false;
    await clock.advance(60_000);
    expect([at, result()]).toEqual([
      [0, 100],
      ['done', undefined],
    ]);
  });

  it('is not tried again after an answer', async () => {
    const { clock, at, faults, done, succeed } = tried();
    succeed(() => Promise.reject(taskError('ended', 'The task has ended')));
    await clock.advance(60_000);
    await expect(done).rejects.toThrow('The task has ended');
    expect([at, faults.length]).toEqual([[0, 100], 1]);
  });
});

it('a promise that is rejected before it is awaited, or never awaited, harms nothing', async () => {
  const [late, never] = [deferred(), deferred()];
  for (const each of [late, never]) each.reject(new Error('early'));
  // Node would take note of an unhandled rejection now.
  await new Promise(setImmediate);
  await expect(late.promise).rejects.toThrow('early');
});
