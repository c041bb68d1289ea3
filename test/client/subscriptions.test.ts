import { expect, it, onTestFinished, vi } from 'vitest';

import type { Listener, Listening } from '../../runtime/client/listen.js';
import { createSubscriptions } from '../../runtime/client/subscriptions.js';
import { deferred } from '../../runtime/tasks/index.js';

/** A server that acknowledges streams when the test says so. */
function listening() {
  const opened: {
    readonly taskIds: readonly string[];
    readonly acknowledge: () => void;
    readonly end: () => void;
    isClosed: boolean;
  }[] = [];
  const listener: Pick<Listener, 'open'> = {
    open({ taskIds }) {
      const acknowledged = deferred<Listening>();
      const closed = deferred<'local' | 'remote'>();
      const stream = {
        taskIds: taskIds as string[],
        isClosed: false,
        acknowledge: () =>
          acknowledged.resolve({
            accepted: { taskIds },
            closed: closed.promise,
            close() {
              stream.isClosed = true;
              closed.resolve('local');
            },
          }),
        end: () => closed.resolve('remote'),
      };
      opened.push(stream);
      return acknowledged.promise;
    },
  };
  return { opened, subscriptions: createSubscriptions(listener as Listener) };
}

it('a stream whose tasks ended before it was acknowledged is closed', async () => {
  const { opened, subscriptions } = listening();
  subscriptions.follow('one').end();
  opened[0]?.acknowledge();
  await new Promise(setImmediate);
  expect(opened).toMatchObject([{ taskIds: ['one'], isClosed: true }]);
});

it('a lost stream is opened again for the tasks that are still followed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { opened, subscriptions } = listening();
  const [ended] = ['ended', 'kept'].map((id) => subscriptions.follow(id));
  for (const at of [0, 1]) {
    opened[at]?.acknowledge();
    await new Promise(setImmediate);
  }
  for (const each of opened) each.end();
  await new Promise(setImmediate);
  ended?.end();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(opened.slice(2).map(({ taskIds }) => taskIds)).toEqual([['kept']]);
});
