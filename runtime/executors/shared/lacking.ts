import type { ExecutorHost, TaskSummary } from '../../tasks/index.js';

/** How long tasks of tools that a process lacks are left to others: longer than old and new code run side by side. */
const LEFT_MS = 60_000;

/** Which tasks of tools that this process lacks it leaves to other processes, as in a rolling deployment. */
export interface Lacking {
  /** Whether the task is left to others. After a while it is not: then no process has its tool, and it fails. */
  leaves(task: TaskSummary): boolean;
}

export function createLacking({ store, clock, hasHandler }: ExecutorHost): Lacking {
  /** Since when this process has met each task. */
  const met = new Map<string, number>();

  function forgetOld(now: number): void {
    for (const [id, since] of met) {
      if (since >= now - 2 * LEFT_MS) return;
      met.delete(id);
    }
  }

  return {
    leaves(task) {
      // A store of several servers has a clock for all of them. SQLite has one server, which `watch` is for.
      if (store.now === undefined || hasHandler(task)) return false;
      const now = clock.monotonic();
      forgetOld(now);
      const since = met.get(task.id) ?? now;
      met.set(task.id, since);
      return now - since < LEFT_MS;
    },
  };
}
