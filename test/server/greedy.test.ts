import { expect, it, onTestFinished } from 'vitest';

import { STORE_KINDS } from '../support/stores.js';
import { greedySubject } from './greedy.js';
import { authorization, legacy, rig, tokenOf } from './support.js';

it.each(STORE_KINDS)(
  'a subject with ten client ids shuts no other subject out: $name',
  async ({ place }) => {
    const { open, remove } = place();
    onTestFinished(async () => remove());
    const store = await open();
    onTestFinished(() => store.close());
    await greedySubject([store]);
  },
);

it('a subject with ten client ids takes no more than half of the sessions', async () => {
  const limits = { sessions: 40, sessionsPerOwner: 15 };
  const rigged = await rig({}, { auth: authorization, ...limits });
  const open = async (token: string): Promise<number> => {
    for (let count = 0; ; count += 1) {
      const refused = await legacy(rigged, { token }).then(
        () => undefined,
        (error: unknown) => String(error),
      );
      if (refused !== undefined) return count;
    }
  };
  let taken = 0;
  for (let n = 0; n < 10; n += 1) taken += await open(tokenOf('greedy', `client-${n}`));
  expect(taken).toBe(20);
  expect(await open(tokenOf('modest'))).toBe(10);
});
