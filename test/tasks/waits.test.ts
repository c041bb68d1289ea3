import { describe, expect, it } from 'vitest';
import { createLease } from '../../runtime/tasks/run.js';
import { createRateLimiter, createRoom, createWaits } from '../../runtime/tasks/admission.js';
import { manualClock } from './support.js';

describe('the time to retry what fails', () => {
  const waiting = (keys = 10) => {
    const clock = manualClock();
    return { clock, waits: createWaits(clock, { least: 100, most: 1_000, keys }) };
  };

  it('is as long as it has failed, from the least to the most', async () => {
    const { clock, waits } = waiting();
    expect(waits.failed('a')).toBe(100);
    for (const [pause, expected] of [
      [0, 100],
      [100, 100],
      [1, 101],
      [898, 999],
      [1, 1_000],
      [1, 1_000],
      [5_000, 1_000],
    ] as const) {
      await clock.advance(pause);
      expect(waits.failed('a')).toBe(expected);
    }
  });

  it('is a whole number of milliseconds, rounded up', () => {
    let now = 0;
    const clock = { ...manualClock(), monotonic: () => now };
    const waits = createWaits(clock, { least: 1, most: 1_000, keys: 1 });
    waits.failed('a');
    now = 10.2;
    expect(waits.failed('a')).toBe(11);
  });

  it('begins anew when it has worked', async () => {
    const { clock, waits } = waiting();
    waits.failed('a');
    await clock.advance(500);
    expect([waits.worked('a'), waits.worked('a'), waits.worked('b')]).toEqual([true, false, false]);
    expect(waits.failed('a')).toBe(100);
  });

  it('is forgotten for the key that failed first, when there are too many', async () => {
    const { clock, waits } = waiting(2);
    for (const key of ['a', 'b', 'c']) waits.failed(key);
    await clock.advance(500);
    expect(['c', 'b', 'a'].map((key) => waits.failed(key))).toEqual([500, 500, 100]);
  });
});

describe('the time to retry a creation', () => {
  const ANN1 = { owner: 'ann/1', subjectKey: 'ann' };
  const ANN2 = { owner: 'ann/2', subjectKey: 'ann' };
  const BEN = { owner: 'ben' };

  /** The answers to owners half a second after one was refused. */
  async function afterRefusalOf(first: Parameters<ReturnType<typeof createRoom>['refused']>) {
    const clock = manualClock();
    const room = createRoom(createWaits(clock, { least: 1, most: 10_000, keys: 100 }));
    room.refused(...first);
    await clock.advance(500);
    return room;
  }

  it.each([
    ['livePerOwner', [500, 1, 1]],
    ['storedPerOwner', [500, 1, 1]],
    ['livePerSubject', [500, 500, 1]],
    ['storedPerSubject', [500, 500, 1]],
    ['live', [500, 500, 500]],
    ['liveShared', [500, 500, 500]],
  ] as const)('is shared by those that %s counts together', async (cap, expected) => {
    const room = await afterRefusalOf([ANN1, cap]);
    expect([ANN1, ANN2, BEN].map((owner) => room.refused(owner, cap))).toEqual(expected);
  });

  it.each([
    ['livePerOwner', [1, 500, 500]],
    ['storedPerOwner', [1, 500, 500]],
    ['livePerSubject', [1, 1, 500]],
    ['storedPerSubject', [1, 1, 500]],
    ['live', [1, 1, 1]],
    ['liveShared', [1, 1, 1]],
  ] as const)('of %s begins anew for those whose task has been created', async (cap, expected) => {
    const all = [ANN1, ANN2, BEN];
    const seen: number[] = [];
    for (const owner of all) {
      const clock = manualClock();
      const room = createRoom(createWaits(clock, { least: 1, most: 10_000, keys: 100 }));
      for (const each of all) room.refused(each, cap);
      await clock.advance(500);
      room.created(ANN1);
      seen.push(room.refused(owner, cap));
    }
    expect(seen).toEqual(expected);
  });

  it('of the shared room goes on when a subject gets a task within its reserve', async () => {
    const room = await afterRefusalOf([ANN1, 'liveShared']);
    room.created(BEN);
    expect(room.refused(ANN1, 'liveShared')).toBe(500);
    room.created(ANN2);
    expect(room.refused(BEN, 'liveShared')).toBe(1);
  });
});

describe('a lease', () => {
  it('that is never renewed lasts for ever', async () => {
    const clock = manualClock(0);
    const lease = createLease(clock);
    await clock.advance(1e9);
    expect([lease.isValid(), lease.isRenewed(), lease.coversSince(-1e9)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('lasts until its time, and no longer', async () => {
    const clock = manualClock(0);
    const lease = createLease(clock);
    lease.renewed(100);
    expect(lease.isRenewed()).toBe(true);
    await clock.advance(99);
    expect([lease.isValid(), lease.coversSince(0)]).toEqual([true, true]);
    await clock.advance(1);
    expect([lease.isValid(), lease.coversSince(100)]).toEqual([false, false]);
  });

  it('covers the time before a renewal only when there was no gap', async () => {
    const clock = manualClock(0);
    const lease = createLease(clock);
    lease.renewed(100);
    await clock.advance(50);
    lease.renewed(200);
    await clock.advance(100);
    expect(lease.coversSince(0)).toBe(true);
    await clock.advance(100);
    lease.renewed(1_000);
    expect([249, 250, 251].map((moment) => lease.coversSince(moment))).toEqual([false, true, true]);
  });
});

describe('a rate', () => {
  const limited = (keys = 10) => {
    const clock = manualClock(0);
    return { clock, rates: createRateLimiter(clock, { perSecond: 2, burst: 3, keys }) };
  };
  const burst = (rates: ReturnType<typeof createRateLimiter>, key: string): number[] =>
    [1, 2, 3, 4].map(() => rates.take(key));

  it('grants a burst, then says in how many milliseconds there is a token', async () => {
    const { clock, rates } = limited();
    expect(burst(rates, 'a')).toEqual([0, 0, 0, 500]);
    await clock.advance(100);
    expect(rates.take('a')).toBe(400);
    await clock.advance(400);
    expect([rates.take('a'), rates.take('a')]).toEqual([0, 500]);
    await clock.advance(1e6);
    expect(burst(rates, 'a')).toEqual([0, 0, 0, 500]);
  });

  it('gets a token back, and never more than the burst', () => {
    const { rates } = limited();
    rates.giveBack('a');
    burst(rates, 'a');
    rates.giveBack('a');
    expect([rates.take('a'), rates.take('a')]).toEqual([0, 500]);
    for (let times = 0; times < 9; times += 1) rates.giveBack('a');
    expect(burst(rates, 'a')).toEqual([0, 0, 0, 500]);
  });

  it('is of each key, as long as it is remembered', () => {
    const { rates } = limited(2);
    burst(rates, 'a');
    expect(rates.take('b')).toBe(0);
    expect(rates.take('a')).toBe(500);
    rates.take('c');
    expect(rates.take('a')).toBe(500);
    rates.take('b');
    rates.take('c');
    expect(rates.take('a')).toBe(0);
  });

  it('grants a token when it is whole, and not a millisecond earlier', async () => {
    const clock = manualClock(0);
    const rates = createRateLimiter(clock, { perSecond: 1, burst: 1, keys: 1 });
    rates.take('a');
    await clock.advance(999);
    expect(rates.take('a')).toBe(1);
    await clock.advance(1);
    expect(rates.take('a')).toBe(0);
  });
});
