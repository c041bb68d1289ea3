import type { Caller, JsonObject, TaskEngine, TaskRecord } from '../tasks/index.js';
import { isTerminal } from '../tasks/index.js';
import { toDetailedTask } from './ext-wire.js';

/** Tasks of one `subscriptions/listen` request, and what is to be told about them. */
export interface TaskFeed {
  /** Those that the server will tell about: the caller's. */
  readonly accepted: readonly string[];
  /**
   * The next thing to tell, if there is any. A slow reader finds each task as it is when he comes to
   * it, and misses states in between: the feed never holds more than one state a task.
   */
  next(): JsonObject | undefined;
  /** Whether nothing more will come: every task has ended, or is gone. */
  readonly over: boolean;
  close(): void;
}

/** Ids in one request; more are not accepted. */
const MOST_IDS = 1_000;

/** `onNews` is called when there is something to tell after nothing was, and when the feed is over. */
export async function openFeed(
  engine: TaskEngine,
  caller: Caller,
  ids: readonly string[],
  onNews: () => void,
): Promise<TaskFeed> {
  const endings = new Map<string, () => void>();
  const news = new Map<string, TaskRecord>();
  let opened = false;

  function tell(task: TaskRecord): void {
    news.set(task.id, task);
    if (isTerminal(task.status)) stop(task.id);
    if (opened) onNews();
  }

  function stop(id: string): void {
    endings.get(id)?.();
    endings.delete(id);
  }

  async function subscribe(id: string): Promise<string | undefined> {
    try {
      const { task, end } = await engine.subscribe(caller, id, (event) => {
        if (event.type === 'changed') return tell(event.task);
        if (event.type === 'progress') return;
        stop(id);
        onNews();
      });
      endings.set(id, end);
      // A client that counts on this stream must not wait for what happened before it was open.
      if ((news.get(id)?.version ?? 0) <= task.version) tell(task);
      return id;
    } catch {
      // Unknown, another's, or one too many: not accepted, and the client is not told which.
      return undefined;
    }
  }

  const unique = [...new Set(ids)].slice(0, MOST_IDS);
  const accepted = (await Promise.all(unique.map(subscribe))).filter((id) => id !== undefined);
  opened = true;

  return {
    accepted,
    next() {
      const [first] = news;
      if (first === undefined) return undefined;
      news.delete(first[0]);
      return toDetailedTask(first[1]);
    },
    get over() {
      return endings.size === 0 && news.size === 0;
    },
    close() {
      for (const end of endings.values()) end();
      endings.clear();
      news.clear();
    },
  };
}
