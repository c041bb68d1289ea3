import { expect, it } from 'vitest';

import { fullDiskRounds } from './crash.js';

it('EXT-NEW-3 60 times a full disk on SQLite: nothing acknowledged is lost, nothing runs twice', async (context) => {
  const result = await fullDiskRounds(60);
  if (result === undefined) return context.skip('cannot mount a tmpfs without the rights of root');
  expect(result.faults).toBeGreaterThan(60);
  expect(result.caught).toBeGreaterThan(30);
});
