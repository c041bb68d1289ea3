import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { completeLimits } from '../../runtime/client/limits.js';
import {
  createPollLimiter,
  pause,
  pollDelay,
  retryDelay,
  sleep,
} from '../../runtime/client/pacing.js';

const limits = completeLimits({ pollMin: 100, pollMax: 60_000 });

describe('polling', () => {
  it('CORE-GET-2 (core), EXT-CLI-2 (ext): the delay is at least the suggested one, within the limits', () => {
    fc.assert(
      fc.property(fc.double(), fc.boolean(), (wish, told) => {
        const delay = pollDelay(Number.isNaN(wish) ? undefined : wish, told, limits);
        expect(delay).toBeGreaterThanOrEqual(Math.min(Math.max(wish || 0, 100), 60_000));
        expect(delay).toBeLessThanOrEqual(72_000);
      }),
    );
  });

  it('CORE-NEW-6: the delay is 1 s without a suggestion, and five times as long with notifications', () => {
    expect(pollDelay(undefined, false, limits)).toBeGreaterThanOrEqual(1_000);
    expect(pollDelay(undefined, false, limits)).toBeLessThanOrEqual(1_200);
    expect(pollDelay(undefined, true, limits)).toBeGreaterThanOrEqual(5_000);
  });

  it('tasks that began together get different delays', () => {
    const delays = new Set(Array.from({ length: 100 }, () => pollDelay(1_000, false, limits)));
    expect(delays.size).toBeGreaterThan(90);
  });

  it('the delay grows with each failure in a row', () => {
    const delays = [1, 2, 3, 4, 20].map(retryDelay);
    delays.forEach((delay, index) => {
      const least = [250, 500, 1_000, 2_000, 10_000][index] ?? 0;
      expect(delay).toBeGreaterThanOrEqual(least);
      expect(delay).toBeLessThanOrEqual(least * 1.2);
    });
  });

  it('the limiter runs at most pollsAtOnce polls at a time, in order', async () => {
    const limiter = createPollLimiter({ pollsPerSecond: 1_000_000, pollsAtOnce: 3 });
    let active = 0;
    let most = 0;
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const { signal } = new AbortController();
        return limiter.run(signal, async () => {
          order.push(index);
          most = Math.max(most, (active += 1));
          await sleep(1, signal);
          active -= 1;
        });
      }),
    );
    expect(most).toBe(3);
    expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it('an aborted poll leaves the queue', async () => {
    const limiter = createPollLimiter({ pollsPerSecond: 1_000_000, pollsAtOnce: 1 });
    const wanted = new AbortController();
    const unwanted = new AbortController();
    let letGo = (): void => undefined;
    const first = limiter.run(
      wanted.signal,
      () => new Promise<void>((resolve) => (letGo = resolve)),
    );
    const second = limiter.run(unwanted.signal, () => Promise.reject(new Error('It ran')));
    const third = limiter.run(wanted.signal, () => Promise.resolve('third'));
    unwanted.abort(new Error('Over'));
    await expect(second).rejects.toThrow('Over');
    await new Promise(setImmediate);
    letGo();
    await first;
    expect(await third).toBe('third');
  });
});

describe('times that a timer does not support', () => {
  it.each([2 ** 31, Infinity])('%s ms do not end at once', async (ms) => {
    const stop = new AbortController();
    let ended = false;
    const slept = sleep(ms, stop.signal).finally(() => (ended = true));
    const paused = pause(ms, () => (ended = true));
    await sleep(50, new AbortController().signal);
    expect(ended).toBe(false);
    clearTimeout(paused);
    stop.abort(new Error('Enough'));
    await expect(slept).rejects.toThrow('Enough');
  });
});

describe('limits', () => {
  it.each([{ pollMin: 0 }, { patience: 1.5 }, { inputRequests: NaN }, { nonsense: 1 }])(
    'refuse an invalid value or an unknown name: %o',
    (given) => {
      expect(() => completeLimits(given)).toThrow(RangeError);
    },
  );
});
