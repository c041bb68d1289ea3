import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import { expect, it, vi } from 'vitest';

import { inThread } from '../../runtime/executors/threads/index.js';
import type { Progress } from '../../runtime/tasks/index.js';
import type * as busy from './busy.thread.js';

type Busy = typeof busy;
const BUSY = new URL('./busy.thread.js', import.meta.url);

function task(owner = 'ann') {
  const controller = new AbortController();
  const heard: Progress[] = [];
  const { signal } = controller;
  const progress = (each: Progress): void => void heard.push(each);
  return { owner, signal, progress, heard, stop: () => controller.abort(new Error('stopped')) };
}

it('runs a module, passes on its progress, and returns its result', async () => {
  const asked = task();
  expect(await inThread<Busy>(BUSY, { add: [1, 2] }, asked)).toBe(3);
  expect(asked.heard).toEqual([{ progress: 1 }]);
});

it('throws what the module throws, and goes on with the next', async () => {
  await expect(inThread<Busy>(BUSY, { fail: 'out of paper' }, task())).rejects.toThrow(
    'out of paper',
  );
  expect(await inThread<Busy>(BUSY, { add: [3, 4] }, task())).toBe(7);
});

it('fails when the thread ends by itself, and goes on with the next', async () => {
  await expect(inThread<Busy>(BUSY, { exit: 3 }, task())).rejects.toThrow('exit code 3');
  expect(await inThread<Busy>(BUSY, { add: [3, 4] }, task())).toBe(7);
});

it('leaves the event loop free and stops a loop that would never end', async () => {
  const asked = task();
  const endless = inThread<Busy>(BUSY, { spin: true }, asked);
  while (asked.heard.length === 0) await setImmediate();
  asked.stop();
  await expect(endless).rejects.toThrow('stopped');
  await expect(inThread<Busy>(BUSY, { add: [1, 1] }, asked)).rejects.toThrow('stopped');
  expect(await inThread<Busy>(BUSY, { add: [3, 4] }, task())).toBe(7);
});

it("takes owners by turns: one owner's many runs do not hold up another's", async () => {
  const order: string[] = [];
  const run = async (owner: string): Promise<void> => {
    await inThread<Busy>(BUSY, { add: [1, 2] }, task(owner));
    order.push(owner);
  };
  await Promise.all([...Array.from({ length: 6 }, () => run('ann')), run('ben')]);
  expect(order.indexOf('ben')).toBeLessThan(order.length - 1);
});

it('does not start runs that were stopped while they waited', async () => {
  const asked = Array.from({ length: 6 }, () => task());
  const spinning = asked.map((each) => inThread<Busy>(BUSY, { spin: true }, each));
  asked.forEach(({ stop }) => stop());
  const settled = await Promise.allSettled(spinning);
  expect(settled.every(({ status }) => status === 'rejected')).toBe(true);
  expect(await inThread<Busy>(BUSY, { add: [3, 4] }, task())).toBe(7);
});

it('ends the thread of arguments that cannot be copied', async () => {
  const ended = vi.spyOn(Worker.prototype, 'terminate');
  const args = { add: [1, 2], callback: () => undefined } as { add: [number, number] };
  await expect(inThread<Busy>(BUSY, args, task())).rejects.toThrow('could not be cloned');
  expect(ended).toHaveBeenCalledOnce();
});

it('fails when the progress cannot be taken', async () => {
  const progress = (): void => {
    throw new TypeError('no progress');
  };
  await expect(inThread<Busy>(BUSY, { add: [1, 2] }, { ...task(), progress })).rejects.toThrow(
    'no progress',
  );
});
