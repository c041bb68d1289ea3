import { isTerminal, type TaskChange, type TaskQuery } from '../../tasks/index.js';
import type { Row } from './rows.js';
import type { Statements } from './statements.js';

/** The statement whose index finds the fewest tasks. */
export function searchOf({ id, owner, status }: TaskQuery): keyof Statements {
  if (id !== undefined) return 'findById';
  if (owner !== undefined) return 'findByOwner';
  if (status === 'failed') return 'findFailed';
  return status !== undefined && !isTerminal(status) ? 'findLive' : 'find';
}

/** Milliseconds between looks at the newest change: other nodes do not notify of tasks that they create. */
const LOOK_MS = 1_000;

/** Calls the listener at notifications, and when a look finds another newest change. */
export function observeTasks(
  watch: (watcher: (change: TaskChange) => void) => () => void,
  newest: () => Promise<readonly Row[]>,
  listener: () => void,
): () => void {
  let last: string | undefined;
  let ended = false;

  async function look(): Promise<void> {
    // A server that is away is reported by the connection that listens.
    const rows = await newest().catch(() => undefined);
    if (ended) return;
    const found = rows && JSON.stringify(rows[0]);
    if (last !== undefined && found !== undefined && found !== last) listener();
    last = found ?? last;
    timer = setTimeout(() => void look(), LOOK_MS).unref();
  }

  let timer: NodeJS.Timeout | undefined;
  const unwatch = watch(() => listener());
  void look();
  return () => {
    ended = true;
    clearTimeout(timer);
    unwatch();
  };
}
