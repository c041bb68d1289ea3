import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import { createMemoryStore } from '../../runtime/stores/index.js';
import { clockOf, nextTurn, systemClock, createTimerQueue } from '../../runtime/tasks/clock.js';
import type { TaskStore } from '../../runtime/tasks/index.js';
import { sized } from '../support/size.js';
import { ANN, heldTool, manualClock, refusal, rig } from './support.js';

const HOUR = 3_600_000;
const STEPS = [-25 * HOUR, -HOUR, -1, 1, HOUR] as const;

describe('when the wall clock is set', () => {
  it.each(STEPS)('by %d ms, the lease is renewed as often as before', async (step) => {
    const clock = manualClock();
    const store = createMemoryStore();
    const renewals: number[] = [];
    const noted: TaskStore = {
      ...store,
      renew(worker, until) {
        renewals.push(until - clock.now());
        return store.renew(worker, until);
      },
    };
    await rig({}, { clock, store: noted });
    await clock.advance(10_000);
    const before = renewals.length;
    clock.step(step);
    await clock.advance(10_000);
    expect(renewals.length).toBe(2 * before - 1);
    expect(new Set(renewals)).toEqual(new Set([10_000]));
  });

  it.each(STEPS)('by %d ms, a task runs to its end and is not taken over', async (step) => {
    const clock = manualClock();
    const tool = heldTool({ content: [] });
    const tasks = await rig({ slow: tool.run }, { clock, limits: { ttlMax: 100 * HOUR } });
    const task = await tasks.start('slow', { ttl: 100 * HOUR });
    await clock.advance(1);
    clock.step(step);
    await clock.advance(60_000);
    tool.release();
    await clock.advance(1);
    expect(await tasks.engine.get(ANN, task.id)).toMatchObject({ status: 'completed', attempt: 1 });
    expect(tasks.audit.some(({ type }) => type === 'recovered')).toBe(false);
  });

  it.each(STEPS)('by %d ms, a failing store is tried again after a while', async (step) => {
    const clock = manualClock();
    const store = createMemoryStore();
    let broken = true;
    const failing: TaskStore = {
      ...store,
      update: (next) => (broken ? Promise.reject(new Error('EIO')) : store.update(next)),
    };
    const tasks = await rig(
      { quick: () => ({ content: [] }) },
      { clock, store: failing, limits: { ttlMax: 100 * HOUR } },
    );
    const task = await tasks.start('quick', { ttl: 100 * HOUR });
    await clock.advance(1_000);
    clock.step(step);
    broken = false;
    await clock.advance(10_000);
    expect((await tasks.engine.get(ANN, task.id)).status).toBe('completed');
  });

  it('CORE-TTL-1 expiry follows it: earlier after a step forward, later after a step back', async () => {
    const clock = manualClock();
    const store = createMemoryStore();
    const tasks = await rig({ quick: () => ({ content: [] }) }, { clock, store });
    const expired = () => tasks.audit.filter(({ type }) => type === 'expired').length;
    const first = await tasks.start('quick', { ttl: HOUR });
    clock.step(HOUR);
    expect((await refusal(tasks.engine.get(ANN, first.id))).reason).toBe('unknown_task');
    await clock.advance(2_500);
    expect(expired()).toBe(1);

    const second = await tasks.start('quick', { ttl: HOUR });
    clock.step(-HOUR);
    await clock.advance(HOUR + 1);
    expect((await tasks.engine.get(ANN, second.id)).status).toBe('completed');
    await clock.advance(HOUR);
    expect(expired()).toBe(2);
  });

  it.each(STEPS)('by %d ms, rates neither refill nor stall', async (step) => {
    const clock = manualClock();
    const limits = { createsPerSecond: 2, createBurst: 2, ttlMax: 100 * HOUR };
    const tasks = await rig({ quick: () => ({ content: [] }) }, { clock, limits });
    await Promise.all([1, 2].map(() => tasks.start('quick')));
    clock.step(step);
    expect((await refusal(tasks.start('quick'))).data).toMatchObject({ retryAfterMs: 500 });
    await clock.advance(500);
    await tasks.start('quick');
  });
});

describe('the timer queue', () => {
  it('calls a delay after its time and a moment at its time, whatever steps there are', async () => {
    const entry = fc.record({ in: fc.integer({ min: 0, max: 10 * HOUR }), moment: fc.boolean() });
    const steps = fc.array(fc.integer({ min: -HOUR, max: HOUR }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 20 }), steps, async (entries, jumps) => {
        const clock = manualClock(0);
        const timers = createTimerQueue(clock);
        const early: unknown[] = [];
        let called = 0;
        for (const each of entries) {
          const check = (due: boolean): void => {
            called += 1;
            if (!due) early.push(each);
          };
          if (each.moment) timers.at(each.in, () => check(clock.now() >= each.in));
          else timers.after(each.in, () => check(clock.monotonic() === each.in));
        }
        for (const jump of jumps) {
          await clock.advance(HOUR);
          clock.step(jump);
        }
        await clock.advance(20 * HOUR);
        expect(early).toEqual([]);
        expect(called).toBe(entries.length);
      }),
      { numRuns: sized(30) },
    );
  });
});

describe('the timers of an engine', () => {
  const timing = () => {
    const clock = manualClock(0);
    const armed: number[] = [];
    const wake = (delayMs: number, callback: () => void): (() => void) => {
      armed.push(delayMs);
      return clock.wake(delayMs, callback);
    };
    const timers = createTimerQueue({ ...clock, wake });
    const called: string[] = [];
    return { clock, armed, timers, called, note: (what: string) => () => called.push(what) };
  };

  it('are armed anew only for what is due earlier, and never for longer than a timer lasts', async () => {
    const { clock, armed, timers, called, note } = timing();
    timers.after(5_000, note('second'));
    timers.after(9_000, note('third'));
    timers.at(2_000, note('first'));
    expect(armed).toEqual([5_000, 2_000]);
    timers.at(2 ** 40, note('far'));
    await clock.advance(9_000);
    expect(called).toEqual(['first', 'second', 'third']);
    expect(armed).toEqual([5_000, 2_000, 3_000, 4_000, 2 ** 31 - 1]);
  });

  it('are called at once for what is due already', async () => {
    const { clock, armed, timers, called, note } = timing();
    await clock.advance(100);
    timers.at(50, note('past'));
    expect(armed).toEqual([0]);
    await clock.advance(0);
    expect(called).toEqual(['past']);
  });

  it('are not armed for what was cancelled, and cancel only themselves', async () => {
    const { clock, timers, called, note } = timing();
    const cancel = timers.after(100, note('cancelled'));
    timers.after(100, note('kept'));
    cancel();
    cancel();
    await clock.advance(100);
    expect(called).toEqual(['kept']);
    cancel();
  });

  it('are silent once closed, also those that are added later', async () => {
    const { clock, timers, called, note } = timing();
    timers.after(100, note('before'));
    timers.close();
    timers.after(100, note('after'));
    await clock.advance(1_000);
    expect(called).toEqual([]);
  });

  it('may be added while others are called', async () => {
    const { clock, timers, called, note } = timing();
    timers.after(100, () => timers.after(50, note('nested')));
    timers.after(100, () => timers.after(0, note('at once')));
    await clock.advance(149);
    expect(called).toEqual(['at once']);
    await clock.advance(1);
    expect(called).toEqual(['at once', 'nested']);
  });
});

it('the clock of a store is its own time, and that of this process otherwise', () => {
  expect(clockOf({})).toBe(systemClock);
  const store = { time: 7, now: (): number => store.time };
  const clock = clockOf(store);
  expect(clock.now()).toBe(7);
  const [before, now, after] = [Date.now(), systemClock.now(), Date.now()];
  expect(now >= before && now <= after).toBe(true);
});

it('work that is put off runs after what waits already, with its argument', async () => {
  const order: unknown[] = [];
  systemClock.soon(() => order.push('soon'));
  nextTurn((argument) => order.push(argument), 'argument');
  await Promise.resolve().then(() => order.push('promise'));
  expect(order).toEqual(['promise']);
  await new Promise(setImmediate);
  expect(order).toEqual(['promise', 'soon', 'argument']);
});

it('work is put off without `setImmediate` too', async () => {
  const order: unknown[] = [];
  vi.stubGlobal('setImmediate', undefined);
  nextTurn((argument) => order.push(argument), 'argument');
  vi.unstubAllGlobals();
  await Promise.resolve().then(() => order.push('promise'));
  await expect.poll(() => order).toEqual(['promise', 'argument']);
});

it('a store that several processes share gives the time of tasks and leases', async () => {
  const ahead = 3 * HOUR;
  const renewals: number[] = [];
  const store = createMemoryStore();
  const shared: TaskStore = {
    ...store,
    now: () => Date.now() + ahead,
    renew(worker, until) {
      renewals.push(until - Date.now());
      return store.renew(worker, until);
    },
  };
  const tasks = await rig({ quick: () => ({ content: [] }) }, { store: shared });
  const before = Date.now();
  const { id, createdAt } = await tasks.start('quick', { ttl: HOUR });
  expect(createdAt).toBeGreaterThanOrEqual(before + ahead);
  expect(createdAt).toBeLessThanOrEqual(Date.now() + ahead);
  expect((await tasks.engine.wait(ANN, id)).status).toBe('completed');
  expect(renewals.every((lease) => lease > ahead)).toBe(true);
});

it('a timer keeps the process alive only when it is asked to', () => {
  const timers = (): number =>
    process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
  const before = timers();
  const cancel = systemClock.wake(HOUR, () => undefined);
  expect(timers()).toBe(before);
  const cancelHolding = systemClock.wake(HOUR, () => undefined, true);
  expect(timers()).toBe(before + 1);
  cancel();
  cancelHolding();
  expect(timers()).toBe(before);
});
