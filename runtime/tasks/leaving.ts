import type { Clock } from './clock.js';
import type { HandlerLookup } from './handler.js';
import type { TaskRecord, TaskSummary } from './record.js';
import type { TaskStore } from './store.js';

/** How long tasks that a process cannot run are left to others: longer than old and new code run side by side. */
const LEFT_MS = 60_000;

export interface LeavingDependencies {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly handlers: HandlerLookup;
  /** Gets each task that this process leaves to others, once. */
  readonly onLeft: (task: TaskSummary, why: string) => void;
}

/**
 * Whether this process leaves a task to others, as in a rolling deployment: it lacks the tool, or refuses the arguments
 * that another version of the tool accepted. After a while it does not: then no process can run the task, and it fails.
 */
export function createLeaving({
  store,
  clock,
  handlers,
  onLeft,
}: LeavingDependencies): (task: TaskSummary | TaskRecord) => Promise<boolean> {
  /** Since when this process has met each task. */
  const met = new Map<string, number>();

  function forgetOld(now: number): void {
    for (const [id, since] of met) {
      if (since >= now - 2 * LEFT_MS) return;
      met.delete(id);
    }
  }

  async function unfit(task: TaskSummary | TaskRecord): Promise<string | undefined> {
    const handler = handlers(task);
    if (handler === undefined) {
      // A store of several servers has a clock for all of them. SQLite has one server, which `watch` is for.
      return store.now === undefined ? undefined : 'this version of the server lacks the tool';
    }
    if (handler.refuses === undefined) return undefined;
    const { args } = 'args' in task ? task : ((await store.get(task)) ?? {});
    if (args === undefined) return undefined;
    try {
      return await handler.refuses(JSON.parse(args));
    } catch {
      // The run shows what is wrong with the check.
      return undefined;
    }
  }

  return async (task) => {
    const now = clock.monotonic();
    forgetOld(now);
    const since = met.get(task.id);
    if (since !== undefined) return now - since < LEFT_MS;
    const why = await unfit(task);
    if (why === undefined) return false;
    if (!met.has(task.id)) {
      met.set(task.id, now);
      onLeft(task, `A task of ${task.tool ?? task.method} is left to other servers: ${why}`);
    }
    return true;
  };
}
