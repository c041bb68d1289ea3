import { expect, it } from 'vitest';
import * as z from 'zod';

import { defineTool } from '../../runtime/server/index.js';
import { startCore, startExt } from './steps.js';
import { legacy, messagesOf, modernResponse, rig } from './support.js';

let release = (): void => undefined;

const large = defineTool({
  name: 'large',
  description: 'Returns 3 million characters when it is released.',
  input: z.object({}),
  taskSupport: 'optional',
  async run() {
    await new Promise<void>((resolve) => (release = resolve));
    return 'x'.repeat(3_000_000);
  },
});

/** Counts the turns of the event loop. */
function turns(): { readonly now: () => number; readonly stop: () => void } {
  let turn = 0;
  let isOver = false;
  const next = (): void => {
    turn += 1;
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  return { now: () => turn, stop: () => (isOver = true) };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 200));
const WAITS = Array.from({ length: 6 });

it('all who wait for a large result get it in turns of their own, in sessions', async () => {
  const rigged = await rig({ tools: [large] });
  const client = await legacy(rigged);
  const { taskId } = await startCore(client, 'large', {});
  const count = turns();
  const answers = WAITS.map(async () => {
    const { result } = await client.request('tasks/result', { taskId });
    expect(result).toHaveProperty('content');
    return count.now();
  });
  await settled();
  release();
  expect(new Set(await Promise.all(answers)).size).toBe(WAITS.length);
  count.stop();
});

it('all who wait for a large result get it in turns of their own, in subscriptions', async () => {
  const rigged = await rig({ tools: [large] });
  const taskId = await startExt(rigged, 'large', {});
  const count = turns();
  const answers = WAITS.map(async () => {
    const notifications = { taskIds: [taskId] };
    const listening = await modernResponse(rigged, 'subscriptions/listen', { notifications });
    for await (const { params } of messagesOf(listening)) {
      if (params?.['status'] === 'completed') return count.now();
    }
    return 0;
  });
  await settled();
  release();
  expect(new Set(await Promise.all(answers)).size).toBe(WAITS.length);
  count.stop();
});
