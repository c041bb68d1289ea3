import { describe, expect, it } from 'vitest';

import type { TaskState } from '../../runtime/client/index.js';
import { rig, until } from '../server/support.js';
import { release } from '../server/tools.js';
import { connect, coreTask, extTask, peer, RESULT, transportTo } from './harness.js';

/** Stops this process, as a lid that is closed does, for longer than any `patience` of these tests. */
function sleepDeeply(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
}

describe('status notifications', () => {
  it.each(['core', 'ext'] as const)(
    'CORE-NOT-1 (core), EXT-NOT-1 (ext): %s: reach listeners of one task and of all tasks',
    async (dialect) => {
      const { tasks } = await connect(transportTo(await rig(), 'stdio'), dialect);
      const all: TaskState[] = [];
      const one: TaskState[] = [];
      const end = tasks.onTaskStatus((state) => all.push(state));
      const first = await tasks.start('held', { label: `status ${dialect} 1` });
      const second = await tasks.start('held', { label: `status ${dialect} 2` });
      tasks.onTaskStatus((state) => one.push(state), second.state?.taskId);
      release(`status ${dialect} 1`);
      await first.result();
      end();
      release(`status ${dialect} 2`);
      await second.result();
      await until(
        () => Promise.resolve(one.at(-1)?.status),
        (status) => status === 'completed',
      );
      expect(one.every(({ taskId }) => taskId === second.state?.taskId)).toBe(true);
      expect(one.at(-1)?.dialect).toBe(dialect);
      expect(all.filter(({ taskId }) => taskId === first.state?.taskId).at(-1)?.status).toBe(
        'completed',
      );
      expect(all.filter(({ status }) => status === 'completed')).toHaveLength(1);
    },
  );

  it('CORE-NOT-2: a call ends without any notification', async () => {
    const server = peer(
      ({ method }, times) =>
        method === 'tools/call'
          ? { task: coreTask('working') }
          : method === 'tasks/get'
            ? coreTask(times < 3 ? 'working' : 'completed')
            : times < 2
              ? undefined
              : RESULT,
      { dialect: 'core' },
    );
    const { tasks } = await connect(server.transport, 'core', {
      limits: { pollMin: 1, pollMax: 5, patience: 400 },
    });
    expect(await tasks.call('work')).toEqual(RESULT);
    expect(server.requests('tasks/get').length).toBeGreaterThanOrEqual(3);
  });

  it('a call survives a computer that falls asleep while its result is missing', async () => {
    const server = peer(
      ({ method }, times) => {
        if (method === 'tools/call') return { task: coreTask('working') };
        if (method === 'tasks/get') {
          // The end is known, and longer ago than `patience` when the client goes on.
          if (times === 2) setTimeout(sleepDeeply, 1);
          return coreTask('completed');
        }
        return times < 2 ? undefined : RESULT;
      },
      { dialect: 'core' },
    );
    const { tasks } = await connect(server.transport, 'core', {
      limits: { pollMin: 1, pollMax: 5, patience: 400 },
    });
    expect(await tasks.call('work')).toEqual(RESULT);
  });

  it.each([
    ['notifications/tasks/status', { taskId: 'one' }],
    ['notifications/tasks/status', coreTask('dreaming')],
    ['notifications/tasks/status', coreTask('working', { createdAt: 'once' })],
  ])('an invalid one goes to onError and not to listeners: %s %o', async (method, params) => {
    const server = peer(() => undefined, { dialect: 'core' });
    const { tasks, problems } = await connect(server.transport, 'core');
    const received: TaskState[] = [];
    tasks.onTaskStatus((state) => received.push(state));
    server.say(method, params);
    server.say('notifications/tasks/status', coreTask('working'));
    await until(
      () => Promise.resolve(received.length),
      (count) => count > 0,
    );
    expect(received).toHaveLength(1);
    expect(problems).toHaveLength(1);
  });

  it('reach the other listeners when one throws', async () => {
    const server = peer(() => undefined, { dialect: 'core' });
    const { tasks, problems } = await connect(server.transport, 'core');
    const received: TaskState[] = [];
    tasks.onTaskStatus(() => {
      throw new Error('Not interested');
    });
    tasks.onTaskStatus((state) => received.push(state));
    server.say('notifications/tasks/status', coreTask('working'));
    await until(
      () => Promise.resolve(received.length),
      (count) => count === 1,
    );
    expect(problems.map(({ message }) => message)).toEqual(['Not interested']);
  });

  it('do not change a call when they are late or name another task', async () => {
    const server = peer(
      ({ method }, times) => {
        if (method === 'tools/call') return extTask('working', { resultType: 'task' });
        if (method === 'subscriptions/listen') return { code: -32601, message: 'Method not found' };
        if (times < 2)
          return extTask('working', {
            lastUpdatedAt: '2026-01-01T00:00:05Z',
            statusMessage: 'new',
          });
        return extTask('completed', { result: { resultType: 'complete', ...RESULT } });
      },
      { dialect: 'ext' },
    );
    const { tasks } = await connect(server.transport, 'ext', { limits: { pollMin: 30 } });
    const handle = await tasks.start('work');
    await until(
      () => Promise.resolve(handle.state?.statusMessage),
      (message) => message === 'new',
    );
    const { resultType: _, ...late } = extTask('working', { statusMessage: 'old' });
    server.say('notifications/tasks', late);
    server.say('notifications/tasks', { ...late, taskId: 'unheard of' });
    expect(await handle.result()).toEqual(RESULT);
  });
});
