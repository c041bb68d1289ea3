import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lastOfMany } from '../../../runtime/peer/wire/last-of-many.js';

it('of each run of values without a pause, the first 16 are passed on at once, and the last one after it', async () => {
  const runs = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(runs, async (counts) => {
      const passed: string[] = [];
      const pass = lastOfMany((value: string) => passed.push(value));
      for (const [run, count] of counts.entries()) {
        passed.length = 0;
        for (let n = 1; n <= count; n += 1) pass(`${run}/${n}`);
        const first = Array.from({ length: Math.min(count, 16) }, (_, n) => `${run}/${n + 1}`);
        expect(passed).toEqual(first);
        await new Promise(setImmediate);
        expect(passed).toEqual(count > 16 ? [...first, `${run}/${count}`] : first);
      }
    }),
    { examples: [[[1, 16, 17, 18, 1]]] },
  );
});
