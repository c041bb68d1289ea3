import { expect, it } from 'vitest';
import { checkSoundness } from './soundness.js';

it('makes types that accept every value of their schemas', async () => {
  const { cases, vacuous, errors } = await checkSoundness(150, 20_261, '7.0');
  expect(errors).toEqual([]);
  expect(cases).toBeGreaterThan(1_000);
  expect(vacuous).toBeLessThan(80);
});
