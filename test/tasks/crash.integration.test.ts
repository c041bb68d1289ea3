import { expect, it } from 'vitest';

import { crashRounds } from './crash.js';

it('EXT-NEW-3 a few times kill -9 on SQLite: nothing acknowledged is lost, nothing ends or runs twice, no recorded step runs again', async () => {
  const { created, caught } = await crashRounds(5);
  expect(created).toBeGreaterThan(5);
  expect(caught).toBeGreaterThan(0);
});
