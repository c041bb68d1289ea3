import { expect, it } from 'vitest';

import { crashRounds } from './crash.js';
import { sized } from '../support/size.js';

const ROUNDS = sized(40);

it('EXT-NEW-3 kill -9 on SQLite, again and again: nothing acknowledged is lost, nothing ends or runs twice', async () => {
  const { created, ended, caught } = await crashRounds(ROUNDS);
  expect(created).toBeGreaterThan(8 * ROUNDS);
  expect(ended).toBeGreaterThan(8 * ROUNDS);
  expect(caught).toBeGreaterThan(0.8 * ROUNDS);
});
