import { parseArgs } from 'node:util';

import { TASK_STATUSES, type TaskStatus } from '../tasks/index.js';

export const USAGE = `Usage: npm run tasks -- <command> [options]

  npm run tasks -- list --status failed
  npm run tasks -- inspect 1a20259133evXH5YMWBy5a0Dc8upHgAPcnl
  npm run tasks -- purge --status completed --older-than 7d --dry-run

Commands
  list               Tasks of all owners, newest first
  inspect <id>       One task: its steps, its questions and how it ended
  cancel <id>...     Cancels tasks; their handlers are told to stop
  retry <id>...      Makes a new task from the request of one that failed or was cancelled
  retry --failed     The same for all failed tasks that were not retried yet
  purge              Removes tasks that have ended
  backup <file>      Copies the database to a file, while servers run (SQLite)

Options
  --status <status>    working, input_required, completed, failed or cancelled (list, purge)
  --owner <owner>      Only tasks of this owner, as list prints it (list, retry --failed, purge)
  --limit <number>     At most this many tasks. Default: 50 (list), all (retry --failed, purge)
  --before <id>        Only tasks older than this one: the next page (list)
  --older-than <time>  Only tasks that have not changed for this long: 30s, 15m, 12h or 7d (purge)
  --dry-run            Shows what would be done, and does nothing (purge, retry)
  --again              Also tasks that were retried before (retry)
  --payloads           Also arguments, answers, steps' results and the outcome (inspect)
  --json               One JSON document
  --help               This text`;

/** What is wrong with the arguments. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface Options {
  readonly command: string;
  /** What follows the command. */
  readonly rest: readonly string[];
  readonly status?: TaskStatus;
  readonly owner?: string;
  readonly limit?: number;
  readonly before?: string;
  /** Milliseconds. */
  readonly olderThan?: number;
  readonly dryRun: boolean;
  readonly failed: boolean;
  readonly again: boolean;
  readonly payloads: boolean;
  readonly json: boolean;
  readonly help: boolean;
}

type OptionName = 'status' | 'owner' | 'limit' | 'before' | 'older-than' | Flag;
type Flag = 'dry-run' | 'failed' | 'again' | 'payloads';

interface Allowed {
  readonly options: readonly OptionName[];
  readonly ids: 'none' | 'one' | 'some' | 'any';
}

const COMMANDS: Readonly<Record<string, Allowed>> = {
  list: { options: ['status', 'owner', 'limit', 'before'], ids: 'none' },
  inspect: { options: ['payloads'], ids: 'one' },
  cancel: { options: [], ids: 'some' },
  retry: { options: ['failed', 'owner', 'limit', 'again', 'dry-run'], ids: 'any' },
  purge: { options: ['status', 'owner', 'limit', 'older-than', 'dry-run'], ids: 'none' },
  backup: { options: [], ids: 'one' },
};

/** Throws a UsageError that names what is wrong. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parsed(args);
  const [command = '', ...rest] = positionals;
  const help = values.help === true || command === 'help';
  if (!help) assertAllowed(command, rest, Object.keys(values));
  if (values.failed === true && rest.length > 0) {
    throw new UsageError('Use either ids or --failed');
  }
  if (!help && command === 'retry' && values.failed !== true && rest.length === 0) {
    throw new UsageError('retry needs the id of a task, or --failed');
  }
  const selecting = (['owner', 'limit'] as const).find((name) => values[name] !== undefined);
  if (!help && command === 'retry' && values.failed !== true && selecting !== undefined) {
    throw new UsageError(`--${selecting} needs --failed: the ids name the tasks`);
  }
  if (!help && command === 'purge' && values['older-than'] === undefined) {
    throw new UsageError('purge needs --older-than, such as --older-than 7d');
  }
  return {
    command,
    rest,
    ...(values.status !== undefined && { status: statusIn(values.status) }),
    ...(values.owner !== undefined && { owner: values.owner }),
    ...(values.limit !== undefined && { limit: countIn(values.limit) }),
    ...(values.before !== undefined && { before: values.before }),
    ...(values['older-than'] !== undefined && { olderThan: durationIn(values['older-than']) }),
    dryRun: values['dry-run'] === true,
    failed: values.failed === true,
    again: values.again === true,
    payloads: values.payloads === true,
    json: values.json === true,
    help,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        status: { type: 'string' },
        owner: { type: 'string' },
        limit: { type: 'string' },
        before: { type: 'string' },
        'older-than': { type: 'string' },
        'dry-run': { type: 'boolean' },
        failed: { type: 'boolean' },
        again: { type: 'boolean' },
        payloads: { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Node adds how to write an argument that begins with a hyphen, and no id and no file does.
    throw new UsageError(message.replace(/\. To specify a positional argument.*$/s, ''));
  }
}

function assertAllowed(command: string, rest: readonly string[], given: readonly string[]): void {
  const allowed = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (allowed === undefined) {
    const names = Object.keys(COMMANDS).join(', ');
    const what = command === '' ? 'No command' : `Unknown command ${JSON.stringify(command)}`;
    throw new UsageError(`${what}. Known: ${names}`);
  }
  const wrong = given.find(
    (name) => name !== 'json' && !allowed.options.includes(name as OptionName),
  );
  if (wrong !== undefined) throw new UsageError(`${command} has no option --${wrong}`);
  const many = rest.length;
  const fits = { none: many === 0, one: many === 1, some: many > 0, any: true }[allowed.ids];
  if (fits) return;
  const thing = command === 'backup' ? 'file' : 'id of a task';
  const wanted = { none: 'takes no ids', one: `needs one ${thing}`, some: `needs the ${thing}` };
  throw new UsageError(`${command} ${wanted[allowed.ids as keyof typeof wanted]}`);
}

function statusIn(text: string): TaskStatus {
  const status = TASK_STATUSES.find((each) => each === text);
  if (status !== undefined) return status;
  throw new UsageError(
    `Unknown status ${JSON.stringify(text)}. Known: ${TASK_STATUSES.join(', ')}`,
  );
}

function countIn(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count) && count > 0) return count;
  throw new UsageError(`--limit must be a positive whole number, not ${JSON.stringify(text)}`);
}

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function durationIn(text: string): number {
  const [, amount, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (unit !== undefined) return Number(amount) * UNITS[unit as keyof typeof UNITS];
  throw new UsageError(
    `--older-than must be a number with s, m, h or d, such as 7d, not ${JSON.stringify(text)}`,
  );
}
