import { expect, it } from 'vitest';

import { crashRounds } from './crash.js';

it('EXT-NEW-3 120 times kill -9 on SQLite: nothing acknowledged is lost, nothing ends or runs twice', async () => {
  const { created, ended, caught } = await crashRounds(120);
  expect(created).toBeGreaterThan(1_000);
  expect(ended).toBeGreaterThan(1_000);
  expect(caught).toBeGreaterThan(100);
});
