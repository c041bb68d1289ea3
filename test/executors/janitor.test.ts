import { expect, it } from 'vitest';

import { startJanitor } from '../../runtime/executors/dbos/janitor.js';
import type { WorkflowQueue } from '../../runtime/executors/dbos/queue.js';
import { createMemoryStore } from '../../runtime/stores/index.js';
import type { ExecutorHost, TaskRecord } from '../../runtime/tasks/index.js';
import { createTimerQueue } from '../../runtime/tasks/clock.js';
import { NO_CAPS, sampleTask } from '../../runtime/testing/testkit/index.js';
import { manualClock } from '../tasks/support.js';

it('ends the workflows of ended tasks behind any number of live ones', async () => {
  const [store, clock] = [createMemoryStore(), manualClock()];
  const tasks = Array.from({ length: 1_700 }, (_, n) => sampleTask(n));
  for (const task of tasks) await store.insert(task, NO_CAPS);
  const ended = tasks.filter((_, n) => n % 300 === 299 || n >= 1_600);
  for (const task of ended) await store.update({ ...task, version: 2, status: 'completed' });
  const claimed = new Set<TaskRecord>(tasks);
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const queue: Partial<WorkflowQueue> = {
    prune: () => Promise.resolve(0),
    claimedBefore: (_time, limit, skip) => Promise.resolve([...claimed].slice(skip, skip + limit)),
    resume(resumed) {
      for (const { id } of resumed) claimed.delete(byId.get(id) as TaskRecord);
      return Promise.resolve();
    },
  };
  const faults: unknown[] = [];
  const host: Partial<ExecutorHost> = {
    ...{ store, clock, timers: createTimerQueue(clock) },
    report: (error) => faults.push(error),
  };
  const stop = startJanitor({
    host: host as ExecutorHost,
    queue: queue as WorkflowQueue,
    historyMs: 86_400_000,
  });
  await clock.advance(60_000);
  stop();
  expect(faults).toEqual([]);
  expect(claimed.size).toBe(tasks.length - ended.length);
});
