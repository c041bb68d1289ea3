import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createMemoryStore } from '../../runtime/stores/index.js';
import { createTimerQueue } from '../../runtime/tasks/clock.js';
import { completeLimits, grantTtl } from '../../runtime/tasks/limits.js';
import { DEFAULT_LIMITS, LONGEST_TTL } from '../../runtime/tasks/index.js';
import { sized } from '../support/size.js';
import { ANN, heldTool, manualClock, refusal, rig } from './support.js';

const DAY = 86_400_000;

describe('a TTL', () => {
  const legal = completeLimits({ ttlMax: LONGEST_TTL });

  it('CORE-NEW-5 is granted exactly from 1 ms to 10 years', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: LONGEST_TTL }), (ttl) => {
        expect(grantTtl(ttl, legal)).toBe(ttl);
      }),
    );
  });

  it('CORE-NEW-5 SEC-7 is brought into the configured range, and defaulted', () => {
    const limits = completeLimits({ ttlMin: 100, ttlMax: 1_000, ttlDefault: 500 });
    expect([1, 100, 999, DAY].map((ttl) => grantTtl(ttl, limits))).toEqual([100, 100, 999, 1_000]);
    expect(grantTtl(undefined, limits)).toBe(500);
    expect(grantTtl(LONGEST_TTL, DEFAULT_LIMITS)).toBe(DAY);
  });

  it.each([
    0,
    -1,
    -1e300,
    0.5,
    1.5,
    NaN,
    Infinity,
    1e300,
    LONGEST_TTL + 1,
    '60',
    null,
    true,
    {},
    [],
  ])('is refused with -32602: %s', async (ttl) => {
    const tasks = await rig({ quick: () => ({}) });
    const refused = await refusal(tasks.start('quick', { ttl }));
    expect(refused).toMatchObject({ code: -32602, reason: 'invalid_ttl' });
  });

  it.each([1, 50, DAY, 25 * DAY, 400 * DAY, LONGEST_TTL])(
    'CORE-TTL-1 SEC-7 of %d ms ends at the millisecond, counted from creation',
    async (ttl) => {
      const clock = manualClock();
      const store = createMemoryStore();
      const tasks = await rig(
        { quick: () => ({ content: [] }) },
        { clock, store, limits: { ttlMax: LONGEST_TTL }, inProcess: { leaseMs: 30 * DAY } },
      );
      const { id, createdAt } = await tasks.start('quick', { ttl });
      await clock.advance(Math.floor((ttl - 1) / 2));
      await clock.advance(ttl - 1 - Math.floor((ttl - 1) / 2));
      expect((await tasks.engine.get(ANN, id)).status).toMatch(/completed|working/);
      await clock.advance(1);
      expect(await refusal(tasks.engine.get(ANN, id))).toMatchObject({
        code: -32602,
        message: 'Unknown or expired task',
      });
      expect(clock.now()).toBe(createdAt + ttl);
      expect(await store.get({ ...ANN, id })).toBeUndefined();
    },
  );

  it('is kept on reading even if the sweep has not come by', async () => {
    const clock = manualClock();
    const lazy = {
      ...createMemoryStore(),
      expire: () => Promise.reject(new Error('Disk on fire')),
    };
    const tasks = await rig({ quick: () => ({}) }, { clock, store: lazy });
    const { id } = await tasks.start('quick', { ttl: 10 });
    await clock.advance(10);
    expect((await refusal(tasks.engine.get(ANN, id))).reason).toBe('unknown_task');
    expect((await refusal(tasks.engine.wait(ANN, id))).reason).toBe('unknown_task');
    expect((await refusal(tasks.engine.cancel(ANN, id))).reason).toBe('unknown_task');
    expect((await tasks.engine.list(ANN)).tasks).toEqual([]);
    expect(tasks.audit).toContainEqual(
      expect.objectContaining({ type: 'fault', reason: 'Disk on fire' }),
    );
  });

  it('CORE-TTL-1 ends a running task too, and aborts the signal of its handler', async () => {
    const clock = manualClock();
    const tool = heldTool();
    const tasks = await rig({ slow: tool.run }, { clock });
    const { id } = await tasks.start('slow', { ttl: 100 });
    await clock.advance(100);
    expect(tool.contexts[0]?.task.signal.aborted).toBe(true);
    expect(tasks.audit).toContainEqual(expect.objectContaining({ type: 'expired', taskId: id }));
    tool.release();
    await clock.advance(1);
    expect((await refusal(tasks.engine.get(ANN, id))).reason).toBe('unknown_task');
  });

  it('expires any number of tasks at one moment', async () => {
    const clock = manualClock();
    const store = createMemoryStore();
    const limits = { createBurst: 2_000, livePerOwner: 2_000 };
    const tasks = await rig({ quick: () => ({}) }, { clock, store, limits });
    await Promise.all(Array.from({ length: 1_200 }, () => tasks.start('quick', { ttl: 1_000 })));
    await clock.advance(1_000);
    expect(tasks.audit.filter(({ type }) => type === 'expired')).toHaveLength(1_200);
    expect((await store.expire(clock.now(), 1)).removed).toEqual([]);
  });
});

describe('the timer queue', () => {
  it('calls each duty at its time and never before, on one timer', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: fc.integer({ min: 0, max: 90 * DAY }), off: fc.boolean() })),
        async (entries) => {
          const clock = manualClock(0);
          let armed = 0;
          let mostArmed = 0;
          const timers = createTimerQueue({
            ...clock,
            wake(delayMs, callback) {
              mostArmed = Math.max(mostArmed, (armed += 1));
              const disarm = clock.wake(delayMs, () => {
                armed -= 1;
                callback();
              });
              return () => {
                armed -= 1;
                disarm();
              };
            },
          });
          const rung: [planned: number, rung: number][] = [];
          for (const { at, off } of entries) {
            const cancel = timers.at(at, () => rung.push([at, clock.now()]));
            if (off) cancel();
          }
          await clock.advance(90 * DAY);
          expect(rung).toHaveLength(entries.filter(({ off }) => !off).length);
          for (const [planned, actual] of rung) expect(actual).toBe(planned);
          expect(mostArmed).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: sized(30) },
    );
  });
});
