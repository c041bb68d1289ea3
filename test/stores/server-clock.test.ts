import fc from 'fast-check';
import { expect, it } from 'vitest';

import { createServerClock } from '../../runtime/stores/postgres/listen.js';

/** Answers that take time on the way there and back, and a pause before each. */
const exchange = fc.record({
  pause: fc.nat(10_000),
  there: fc.nat(500),
  back: fc.nat(500),
});

it('is wrong by less than the fastest answer took', async () => {
  const ahead = fc.integer({ min: -1e12, max: 1e12 });
  await fc.assert(
    fc.asyncProperty(ahead, fc.array(exchange, { minLength: 1 }), async (offset, exchanges) => {
      let time = 0;
      const clock = createServerClock(() => time);
      let fastest = Infinity;
      for (const { pause, there, back } of exchanges) {
        time += pause;
        const ask = (): Promise<number> => {
          const answer = time + there + offset;
          time += there + back;
          return Promise.resolve(answer);
        };
        await clock.observe(ask, (answer) => answer);
        fastest = Math.min(fastest, there + back);
        expect(Math.abs(clock.now() - (time + offset))).toBeLessThanOrEqual(fastest + 1);
        expect(Number.isSafeInteger(clock.now())).toBe(true);
      }
    }),
  );
});

it('follows the server when its time is set', async () => {
  const clock = createServerClock(() => 0);
  for (const time of [5_000, 90_000, 1_000]) {
    await clock.observe(
      () => Promise.resolve(time),
      (answer) => answer,
    );
    expect(clock.now()).toBe(time);
  }
});

it('keeps its estimate when an answer fails', async () => {
  const clock = createServerClock(() => 0);
  const ask = (answer: Promise<number>): Promise<number> => clock.observe(() => answer, Number);
  await ask(Promise.resolve(7));
  await expect(ask(Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  expect(clock.now()).toBe(7);
});
