import { expect, it, onTestFinished } from 'vitest';

import { handlerOf } from '../../runtime/server/features/tools.js';
import type { TaskControls, TaskSummary } from '../../runtime/tasks/index.js';
import { STORE_KINDS } from '../support/stores.js';
import { after, checkRollingDeploy } from './rolling.js';

it.each(STORE_KINDS)(
  'a server leaves tasks whose stored arguments it refuses to others: $name',
  async ({ place }) => {
    const { open, remove } = place();
    const store = await open();
    onTestFinished(async () => {
      await store.close();
      await remove();
    });
    await checkRollingDeploy(store);
  },
);

it('a task that no server can run any more fails with an error that names the deploy', async () => {
  const load = () => Promise.resolve();
  const handler = handlerOf(after, { dialect: 'core' } as TaskSummary, load);
  const args = { arguments: { width: 7, secret: 'x' }, asks: [] };
  expect(await handler.refuses?.(args)).toBe(
    'this version of the tool refuses its stored arguments at /unit',
  );
  await expect(
    handler.run({ args, task: {} as TaskControls, caller: undefined }),
  ).rejects.toMatchObject({
    code: -32603,
    message: expect.stringMatching(
      /^The arguments of this task were valid when it was created\. A deploy of the server has changed its tool since: Invalid arguments for tool resize: \/unit/,
    ) as string,
    data: { reason: 'stale_arguments' },
  });
});

it('arguments that the client sent wrong are no fault of a deploy', async () => {
  const load = () => Promise.resolve();
  const handler = handlerOf(after, { dialect: 'core' } as TaskSummary, load);
  const args = { arguments: {}, asks: [], refused: 'Invalid arguments' };
  expect(await handler.refuses?.(args)).toBeUndefined();
  const rejected = handler.run({ args, task: {} as TaskControls, caller: undefined });
  await expect(rejected).rejects.toThrow(/^Invalid arguments$/);
});
