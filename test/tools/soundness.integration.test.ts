import { expect, it } from 'vitest';
import { checkSoundness } from './soundness.js';

it('makes types that take whatever the schemas accept', async () => {
  const { cases, vacuous, complaints } = await checkSoundness(150, 20_261, '7.0');
  expect(complaints).toEqual([]);
  expect(cases).toBeGreaterThan(1_000);
  expect(vacuous).toBeLessThan(80);
});
