import {
  isTerminal,
  type TaskAdministration,
  type TaskSummary,
  workStatus,
} from '../../tasks/index.js';
import type { TaskStatus } from '../../tasks/index.js';

export interface Search {
  readonly status?: TaskStatus;
  readonly tool?: string;
  readonly owner?: string;
  /** The beginning of an id, or a whole one. */
  readonly id?: string;
  /** Only tasks older than this one. */
  readonly before?: string;
  readonly limit: number;
}

export interface Found {
  readonly tasks: readonly TaskSummary[];
  /** Where the next page starts; absent at the end. The page may be short, and have a next one. */
  readonly next?: string;
  /** Tasks that were compared with the search. */
  readonly looked: number;
}

/** Tasks that one search reads at most, in parts: a rare tool among a million tasks is found in several searches. */
export const LOOKED_AT_MOST = 5_000;
const PART = 500;
/** Greater than every character of an id. */
const AFTER = '\x7f';

/**
 * Newest first. What the store has an index for, it searches: owners, live and failed tasks, the beginning of an id. The
 * rest is compared here, so that no search reads more than {@link LOOKED_AT_MOST} tasks.
 */
export async function search(tasks: TaskAdministration, query: Search): Promise<Found> {
  const { owner, id, limit } = query;
  const { status, rest } = divided(query);
  // One more shows whether there is a next page.
  const part = rest === undefined ? limit + 1 : PART;
  const found: TaskSummary[] = [];
  let looked = 0;
  let before = startOf(query);
  for (;;) {
    const page = await tasks.list({
      ...(owner !== undefined && { owner }),
      ...(status !== undefined && { status }),
      ...(before !== undefined && { before }),
      limit: part,
    });
    for (const task of page) {
      if (id !== undefined && !task.id.startsWith(id)) return { tasks: found, looked };
      looked += 1;
      if (rest?.(task) === false) continue;
      const last = found.at(-1);
      if (found.length === limit && last) return { tasks: found, next: last.id, looked };
      found.push(task);
    }
    before = page.at(-1)?.id;
    if (page.length < part || before === undefined) return { tasks: found, looked };
    if (looked >= LOOKED_AT_MOST) return { tasks: found, next: before, looked };
  }
}

/** The status that the store searches, and what is compared here. */
function divided({ status, tool }: Search): {
  readonly status?: TaskStatus;
  readonly rest?: (task: TaskSummary) => boolean;
} {
  const isIndexed = status !== undefined && (status === 'failed' || !isTerminal(status));
  const others = isIndexed ? undefined : status;
  return {
    ...(isIndexed && { status }),
    ...((tool !== undefined || others !== undefined) && {
      rest: (task) =>
        (tool === undefined || (task.tool ?? task.method) === tool) &&
        (others === undefined || workStatus(task) === others),
    }),
  };
}

/** Ids sort by their characters: those with a beginning follow each other. */
function startOf({ id, before }: Search): string | undefined {
  if (id === undefined) return before;
  const first = `${id}${AFTER}`;
  return before === undefined || first < before ? first : before;
}
