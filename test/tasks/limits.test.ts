import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  type Caller,
  DEFAULT_LIMITS,
  LONGEST_TTL,
  type TaskLimits,
  type TaskTotals,
} from '../../runtime/tasks/index.js';
import { capExceeded, completeLimits } from '../../runtime/tasks/limits.js';
import { createLruMap, createRateLimiter } from '../../runtime/tasks/admission.js';
import { sized } from '../support/size.js';
import { ANN, ANN_EXT, BEN, heldTool, manualClock, refusal, rig, turns } from './support.js';

describe('limits', () => {
  it('SEC-7 caps live tasks of an owner, in both dialects together, and in all', async () => {
    const tool = heldTool();
    const tasks = await rig({ slow: tool.run }, { limits: { livePerOwner: 2, live: 3 } });
    const first = await tasks.start('slow');
    await tasks.start('slow', {}, ANN_EXT);
    expect(await refusal(tasks.start('slow'))).toMatchObject({
      code: 429,
      message: 'Limit livePerOwner (2) reached; retry in 1000 ms',
      data: { limit: 'livePerOwner', max: 2, retryAfterMs: 1_000, reason: 'limit' },
    });
    await tasks.start('slow', {}, BEN);
    expect((await refusal(tasks.start('slow', {}, BEN))).data).toMatchObject({ limit: 'live' });
    await tasks.engine.cancel(ANN, first.id);
    await tasks.start('slow');
  });

  it('SEC-6 holds creations to a rate, and says when to come back', async () => {
    const clock = manualClock();
    const limits = { createsPerSecond: 2, createBurst: 3 };
    const tasks = await rig({ quick: () => ({}) }, { clock, limits });
    await Promise.all([1, 2, 3].map(() => tasks.start('quick')));
    const refused = await refusal(tasks.start('quick'));
    expect(refused.data).toMatchObject({ limit: 'createsPerSecond', max: 2, retryAfterMs: 500 });
    await tasks.start('quick', {}, BEN);
    await clock.advance(499);
    await refusal(tasks.start('quick'));
    await clock.advance(1);
    await tasks.start('quick');
  });

  it('SEC-6 SEC-8 refuses and counts 10,000 bogus ids, while others are served', async () => {
    const clock = manualClock();
    const tasks = await rig({ quick: () => ({}) }, { clock });
    const { id } = await tasks.start('quick', {}, BEN);
    const reasons = new Map<string, number>();
    for (let n = 0; n < 10_000; n += 1) {
      const { reason } = await refusal(tasks.engine.get(ANN, `bogus-${n}`));
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
    expect(Object.fromEntries(reasons)).toEqual({ unknown_task: 2_000, limit: 8_000 });
    expect(tasks.audit.filter(({ type }) => type === 'refused')).toHaveLength(10_000);
    expect((await tasks.engine.get(BEN, id)).id).toBe(id);
  });

  it('SEC-7 caps waiters and subscriptions, and frees their places', async () => {
    const tool = heldTool();
    const limits = { listenersPerOwner: 2, listeners: 3 };
    const tasks = await rig({ slow: tool.run }, { limits });
    const mine = await tasks.start('slow');
    const bens = await tasks.start('slow', {}, BEN);
    const subscription = await tasks.engine.subscribe(ANN, mine.id, () => undefined);
    const abort = new AbortController();
    const waiter = tasks.engine.wait(ANN, mine.id, abort.signal);
    const full = await refusal(tasks.engine.wait(ANN, mine.id));
    expect(full.data).toMatchObject({ limit: 'listenersPerOwner' });
    await tasks.engine.subscribe(BEN, bens.id, () => undefined);
    const allFull = await refusal(tasks.engine.wait(BEN, bens.id));
    expect(allFull.data).toMatchObject({ limit: 'listeners' });
    subscription.end();
    subscription.end();
    abort.abort(new Error('gone'));
    await expect(waiter).rejects.toThrow('gone');
    await refusal(tasks.engine.subscribe(ANN, 'nothing', () => undefined));
    await tasks.engine.subscribe(ANN, mine.id, () => undefined);
    await tasks.engine.subscribe(ANN, mine.id, () => undefined);
    tool.release();
    await turns();
  });

  it('SEC-7 keeps listeners for other subjects when one with many clients takes all it can', async () => {
    const limits = { listenersPerOwner: 150, listeners: 400 };
    const tasks = await rig({ slow: heldTool().run }, { limits });
    const listenAs = async (caller: Caller): Promise<number> => {
      const { id } = await tasks.start('slow', {}, caller);
      for (let count = 0; ; count += 1) {
        const ended = await tasks.engine.subscribe(caller, id, () => undefined).catch(() => 'full');
        if (ended === 'full') return count;
      }
    };
    const clients = [1, 2, 3].map((n) => ({ ...ANN, owner: `ann/${n}`, subjectKey: 'ann' }));
    const taken = [];
    for (const client of clients) taken.push(await listenAs(client));
    expect(taken).toEqual([150, 50, 0]);
    expect(await listenAs(BEN)).toBe(100);
  });

  it.each<
    [string, Partial<Record<'owner' | 'subject', Partial<TaskTotals>>>, number, string | undefined]
  >([
    ['nothing', {}, 0, undefined],
    ['live tasks of the owner', { owner: { live: 9 } }, 0, undefined],
    ['too many of them', { owner: { live: 10 } }, 0, 'livePerOwner'],
    ['live tasks of the subject', { subject: { live: 19 } }, 0, undefined],
    ['too many of them', { subject: { live: 20 } }, 0, 'livePerSubject'],
    ['stored tasks of the owner', { owner: { stored: 29 } }, 0, undefined],
    ['too many of them', { owner: { stored: 30 } }, 0, 'storedPerOwner'],
    ['stored tasks of the subject', { subject: { stored: 39 } }, 0, undefined],
    ['too many of them', { subject: { stored: 40 } }, 0, 'storedPerSubject'],
    ['all but one of the shared', { subject: { live: 5 } }, 59, undefined],
    ['all of the shared', { subject: { live: 5 } }, 60, 'liveShared'],
    ['all of the shared, and a reserve', { subject: { live: 4 } }, 60, undefined],
    ['all but one, and a reserve', { subject: { live: 4 } }, 99, undefined],
    ['all', { subject: { live: 4 } }, 100, 'live'],
    ['all, and no reserve', { subject: { live: 5 } }, 100, 'live'],
    ['several caps', { owner: { live: 10 }, subject: { live: 20 } }, 100, 'livePerOwner'],
  ])('name the cap that one more task would exceed: %s', (_, { owner, subject }, live, cap) => {
    const caps = {
      livePerOwner: 10,
      livePerSubject: 20,
      storedPerOwner: 30,
      storedPerSubject: 40,
      liveReserve: 5,
      liveShared: 60,
      live: 100,
    };
    const none = { live: 0, stored: 0 };
    expect(capExceeded({ ...none, ...owner }, { ...none, ...subject }, live, caps)).toBe(cap);
  });

  it('SEC-6 hold a subject to the creations and the reads of two owners', async () => {
    const clock = manualClock();
    const rates = { createsPerSecond: 2, createBurst: 3, readsPerSecond: 4, readBurst: 5 };
    const tasks = await rig({ quick: () => ({}) }, { clock, limits: rates });
    const clients = [1, 2, 3].map((n) => ({ ...ANN, owner: `ann/${n}`, subjectKey: 'ann' }));
    const [first, second, third] = clients as [Caller, Caller, Caller];
    for (const client of [first, second]) {
      for (let n = 0; n < 3; n += 1) await tasks.start('quick', {}, client);
    }
    expect((await refusal(tasks.start('quick', {}, first))).data).toMatchObject({
      limit: 'createsPerSecond',
      max: 2,
      retryAfterMs: 500,
    });
    const refused = await refusal(tasks.start('quick', {}, third));
    expect(refused.data).toMatchObject({ limit: 'createsPerSecond', max: 4, retryAfterMs: 250 });
    for (const client of [first, second]) {
      for (let n = 0; n < 5; n += 1) await tasks.engine.list(client);
    }
    expect((await refusal(tasks.engine.list(third))).data).toMatchObject({
      limit: 'readsPerSecond',
      max: 8,
      retryAfterMs: 125,
    });
    // A refusal for the subject costs the client none of its own.
    await clock.advance(60_000);
    for (let n = 0; n < 3; n += 1) await tasks.start('quick', {}, third);
    await tasks.start('quick', {}, BEN);
  });

  it('refuses a progress token that would make pages of tasks large', async () => {
    const tasks = await rig({ tool: () => ({ content: [] }) });
    const start = (length: number) =>
      tasks.start('tool', { meta: { progressToken: 'x'.repeat(length) } });
    expect(await refusal(start(1_001))).toMatchObject({ reason: 'invalid_params', code: -32602 });
    expect(await start(1_000)).toHaveProperty('progressToken');
  });

  it('refuses arguments that are too large or not JSON', async () => {
    const tasks = await rig({ quick: () => ({}) }, { limits: { argsBytes: 100 } });
    for (const args of [{ text: 'x'.repeat(100) }, { n: 1n }, () => 0]) {
      const refused = await refusal(tasks.start('quick', { args }));
      expect(refused).toMatchObject({ code: -32602, reason: 'invalid_params' });
    }
  });

  it('count a subject as two owners, and keep half of the live tasks for those with few', () => {
    const limits = completeLimits({ livePerOwner: 7, storedPerOwner: 9, live: 15 });
    expect(limits).toMatchObject({ livePerSubject: 14, storedPerSubject: 18, liveShared: 8 });
    const own = { livePerSubject: 1, storedPerSubject: 2, liveShared: 3 };
    expect(completeLimits(own)).toMatchObject(own);
  });

  it('may be as small as 1, and as equal as they may be', () => {
    const least = Object.fromEntries(Object.keys(DEFAULT_LIMITS).map((name) => [name, 1]));
    expect(completeLimits(least)).toEqual(least);
    expect(completeLimits({ ttlMax: LONGEST_TTL }).ttlMax).toBe(315_576_000_000);
    expect(completeLimits({ live: 5, liveShared: 5 }).liveShared).toBe(5);
  });

  it.each([
    [{ live: 5, liveShared: 6 }, 'Limit liveShared (6) must not exceed live (5)'],
    [{ pageSize: 2 ** 53 }, 'Limit pageSize must be a positive integer, not 9007199254740992'],
    [{ ttlMax: LONGEST_TTL + 1 }, `Limits must satisfy ttlMin <= ttlMax <= ${LONGEST_TTL}`],
    [{ ttlMin: 6, ttlMax: 5 }, `Limits must satisfy ttlMin <= ttlMax <= ${LONGEST_TTL}`],
    [{ live: 0 }, 'Limit live must be a positive integer, not 0'],
    [{ live: NaN }, 'Limit live must be a positive integer, not NaN'],
    [{ pageSize: 2.5 }, 'Limit pageSize'],
    [{ ttlMin: 10, ttlMax: 5 }, 'ttlMin <= ttlMax'],
    [{ ttlMax: 1e15 }, 'ttlMin <= ttlMax'],
    [{ tyop: 1 }, 'Unknown limit tyop'],
  ])('are checked when they are set: %j', (given, message) => {
    expect(() => completeLimits(given as Partial<TaskLimits>)).toThrow(message);
    expect(completeLimits()).toEqual(DEFAULT_LIMITS);
  });
});

describe('a token bucket', () => {
  it('never grants more than burst + rate × time, and always what it promised', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 60 }),
        async (perSecond, burst, pauses) => {
          const clock = manualClock(0);
          const bucket = createRateLimiter(clock, { perSecond, burst, keys: 10 });
          let granted = 0;
          for (const pause of pauses) {
            await clock.advance(pause);
            const wait = bucket.take('ann');
            if (wait === 0) granted += 1;
            else {
              await clock.advance(wait);
              expect(bucket.take('ann')).toBe(0);
              granted += 1;
            }
            expect(granted).toBeLessThanOrEqual(burst + (perSecond * clock.now()) / 1000 + 1e-6);
          }
        },
      ),
      // The second promise was broken when tokens were counted in fractions.
      { numRuns: sized(200), examples: [[1, 2, [0, 7, 0, 185]]] },
    );
  });

  it('remembers a bounded number of owners', () => {
    const map = createLruMap<number>(3);
    for (const [index, key] of ['a', 'b', 'c', 'a', 'd'].entries()) map.set(key, index);
    expect(['a', 'b', 'c', 'd'].map((key) => map.get(key))).toEqual([3, undefined, 2, 4]);
  });
});
