import { messageOf, type TaskAdministration, TaskError, type TaskSummary } from '../tasks/index.js';
import type { Options } from './options.js';
import { linesOf, oneLine, recordIn, size, sizeAndValue, summaryIn, tableOf } from './print.js';

/** What a command prints: one of the two. */
export interface Printed {
  readonly document: object;
  readonly text: string;
  /** Whether anything could not be done. */
  readonly failed?: boolean;
}

type Command = (tasks: TaskAdministration, options: Options) => Promise<Printed>;

const LISTED = 50;

export const COMMANDS: Readonly<Record<string, Command>> = {
  async list(tasks, { status, owner, before, limit = LISTED }) {
    const found = await tasks.list({
      ...(status && { status }),
      ...(owner !== undefined && { owner }),
      ...(before !== undefined && { before }),
      limit,
    });
    const last = found.at(-1);
    const more = found.length === limit && last !== undefined ? { next: last.id } : {};
    const hint = 'next' in more ? `\n\nMore: --before ${more.next}` : '';
    return {
      document: { tasks: found.map(summaryIn), ...more },
      text: tableOf(found) + hint,
    };
  },

  async inspect(tasks, { rest: [id = ''], payloads }) {
    const task = recordIn(await tasks.inspect(id), payloads ? sizeAndValue : size);
    return { document: { task }, text: linesOf(task) };
  },

  async cancel(tasks, { rest }) {
    const { done, errors } = await each(rest, async (id) => (await tasks.cancel(id)).id);
    return printed(
      { cancelled: done, errors },
      done.map((id) => `Cancelled ${id}`),
      errors,
    );
  },

  async retry(tasks, options) {
    const { again, dryRun, limit = Infinity } = options;
    const ids = options.failed ? await failedIds(tasks, options, limit) : options.rest;
    if (dryRun) {
      const lines = ids.map((id) => `Would retry ${oneLine(id)}`);
      return printed({ dryRun, tasks: ids, errors: [] }, lines, []);
    }
    const { done, errors } = await each(ids, async (id) => {
      const { id: retriedAs } = await tasks.retry(id, { again });
      return { id, retriedAs };
    });
    const lines = done.map(({ id, retriedAs }) => `Retried ${id} as ${retriedAs}`);
    return printed({ retried: done, errors }, lines, errors);
  },

  async purge(tasks, { status, owner, limit, olderThan = Infinity, dryRun }) {
    const purged = await tasks.purge({
      ...(status && { status }),
      ...(owner !== undefined && { owner }),
      ...(limit !== undefined && { limit }),
      olderThan,
      dryRun,
    });
    const verb = dryRun ? 'Would remove' : 'Removed';
    const many = `${verb} ${purged.length} ${purged.length === 1 ? 'task' : 'tasks'}`;
    return {
      document: { dryRun, removed: dryRun ? 0 : purged.length, tasks: purged.map(({ id }) => id) },
      text: dryRun && purged.length > 0 ? `${tableOf(purged)}\n\n${many}` : many,
    };
  },
};

async function failedIds(
  tasks: TaskAdministration,
  { owner, again }: Options,
  limit: number,
): Promise<readonly string[]> {
  const found: string[] = [];
  let before: string | undefined;
  for (;;) {
    const page: readonly TaskSummary[] = await tasks.list({
      status: 'failed',
      ...(owner !== undefined && { owner }),
      ...(before !== undefined && { before }),
      limit: 1_000,
    });
    const fresh = page.filter(({ retriedAs }) => again || retriedAs === undefined);
    found.push(...fresh.map(({ id }) => id));
    before = page.at(-1)?.id;
    if (page.length < 1_000 || found.length >= limit) return found.slice(0, limit);
  }
}

interface Failure {
  readonly id: string;
  readonly reason: string;
  readonly message: string;
}

/** One after the other. What cannot be done to one task is reported, and does not stop the others. */
async function each<T>(
  ids: readonly string[],
  work: (id: string) => Promise<T>,
): Promise<{ readonly done: readonly T[]; readonly errors: readonly Failure[] }> {
  const done: T[] = [];
  const errors: Failure[] = [];
  for (const id of ids) {
    try {
      done.push(await work(id));
    } catch (error) {
      if (!(error instanceof TaskError)) throw error;
      errors.push({ id, reason: error.reason, message: messageOf(error) });
    }
  }
  return { done, errors };
}

function printed(document: object, lines: readonly string[], errors: readonly Failure[]): Printed {
  const failures = errors.map(({ id, message }) => `${oneLine(id)}: ${message}`);
  const text = [...lines, ...failures].join('\n');
  return { document, text: text === '' ? 'No tasks' : text, failed: errors.length > 0 };
}
