import { describe, expect, it } from 'vitest';

import { type Progress, progressOf } from '../../runtime/client/index.js';
import { connect, coreTask, extTask, peer, RESULT } from './harness.js';

/** A server without progress notifications, whose task goes through these status messages. */
function saying(dialect: 'core' | 'ext', messages: readonly string[]) {
  const task = (status: string, statusMessage?: string) =>
    (dialect === 'core' ? coreTask : extTask)(status, statusMessage ? { statusMessage } : {});
  return peer(
    ({ method }, times) => {
      if (method === 'tools/call') {
        return dialect === 'core'
          ? { task: task('working', messages[0]) }
          : { ...task('working', messages[0]), resultType: 'task' };
      }
      if (method === 'tasks/result') return times > messages.length ? RESULT : undefined;
      const message = messages[times];
      if (message !== undefined) return task('working', message);
      const ended = task('completed');
      return dialect === 'core' ? ended : { ...ended, result: RESULT };
    },
    { dialect },
  );
}

const LIMITS = { pollMin: 1, pollMax: 5, patience: 200 };

describe.each(['core', 'ext'] as const)('progress in status messages (%s)', (dialect) => {
  it('reaches onProgress, and only when it increases', async () => {
    const messages = ['10% (1/10): one', 'Step a is finished', '20% (2/10): two', '10% (1/10)'];
    const server = saying(dialect, messages);
    const { tasks } = await connect(server.transport, dialect, { limits: LIMITS });
    const got: Progress[] = [];
    const states: (string | undefined)[] = [];
    const handle = await tasks.start('work', undefined, {
      onProgress: (progress) => got.push(progress),
      onStatus: ({ statusMessage }) => states.push(statusMessage),
    });
    for await (const { status } of handle) if (status === 'completed') break;
    expect(got).toEqual([
      { progress: 1, total: 10, message: 'one' },
      { progress: 2, total: 10, message: 'two' },
    ]);
    expect(states.slice(0, 4)).toEqual(messages);
  });

  it('reaches onProgress of a resumed task', async () => {
    const server = saying(dialect, ['', ...Array<string>(20).fill('50% (1/2): half')]);
    const { tasks } = await connect(server.transport, dialect, { limits: LIMITS });
    const { reference = '' } = await tasks.start('work');
    const got: Progress[] = [];
    const resumed = await tasks.resume(reference, { onProgress: (progress) => got.push(progress) });
    for await (const { status } of resumed) if (status === 'completed') break;
    expect(got).toEqual([{ progress: 1, total: 2, message: 'half' }]);
  });
});

it('a state tells its progress', () => {
  expect(progressOf({ statusMessage: '50% (1/2): half' })).toEqual({
    progress: 1,
    total: 2,
    message: 'half',
  });
  expect(progressOf({ statusMessage: 'half' })).toBeUndefined();
  expect(progressOf({})).toBeUndefined();
});
