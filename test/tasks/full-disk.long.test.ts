import { expect, it } from 'vitest';

import { fullDiskRounds } from './crash.js';
import { sized } from '../support/size.js';

const ROUNDS = sized(20);

it('EXT-NEW-3 a full disk on SQLite, again and again: nothing acknowledged is lost, nothing runs twice', async (context) => {
  const result = await fullDiskRounds(ROUNDS);
  if (result === undefined) return context.skip('cannot mount a tmpfs without the rights of root');
  expect(result.faults).toBeGreaterThan(ROUNDS);
  expect(result.caught).toBeGreaterThan(ROUNDS / 2);
});
