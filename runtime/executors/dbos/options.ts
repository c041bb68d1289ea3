import type { ConnectionOptions } from 'node:tls';

import { withoutUndefined } from '../shared/index.js';

/** What a node does with tasks. Every node runs its own plain calls. */
export type NodeRole = 'all' | 'web' | 'worker';

export interface DbosOptions {
  /** `web` creates tasks and runs none, `worker` runs tasks, `all` does both. Default `all`. */
  readonly role?: NodeRole;
  /** The database of the task store. Without it `PGHOST`, `PGUSER` and so on decide, as for the store. */
  readonly connectionString?: string;
  /** TLS, as for the task store. */
  readonly ssl?: boolean | ConnectionOptions;
  /** Where DBOS keeps its tables. Default `dbos`. */
  readonly schema?: string;
  /** Whether a worker creates and updates these tables. Default true; see {@link migrateDbos}. */
  readonly migrate?: boolean;
  /** Nodes with this name share their tasks: DBOS's application name. Default `mcp-codegen`. */
  readonly name?: string;
  /** Connections to DBOS's tables. Default 10. */
  readonly poolSize?: number;
  /** Milliseconds between a worker's looks at a queue. Default 100. */
  readonly pollMs?: number;
  /** Handlers that run at a time on one node; one that waits for input does not count. Default 512. */
  readonly concurrency?: number;
  /** Handlers of one subject, a user by way of all clients, on one node. Default: half of `concurrency`. */
  readonly concurrencyPerSubject?: number;
  /** Tasks of a tool that run at a time on all nodes together, those that wait for input included. */
  readonly concurrencyPerTool?: Readonly<Record<string, number>>;
  /** A subject's tasks with smaller numbers start first. Default 1,000 for each tool. */
  readonly priorityPerTool?: Readonly<Record<string, number>>;
  /** Milliseconds for which a lease keeps other nodes from taking this one's tasks. Default 10,000. */
  readonly leaseMs?: number;
  /** Milliseconds for which DBOS's tables keep what has ended. Default 86,400,000: a day. */
  readonly historyMs?: number;
  /** Milliseconds after an abort after which a handler that still runs loses its slot. Default 5,000. */
  readonly abandonMs?: number;
  /** Handlers that may have lost their slots and still run; further ones keep their slots. Default 64. */
  readonly abandoned?: number;
  /** The same for one subject. Default 16. */
  readonly abandonedPerSubject?: number;
  /** Plain calls of one subject that wait for a slot; further ones are refused. Default 1,000. */
  readonly waitingPerSubject?: number;
}

export type CompleteOptions = Required<Omit<DbosOptions, 'connectionString' | 'ssl'>> &
  Pick<DbosOptions, 'connectionString' | 'ssl'>;

const ROLES: readonly string[] = ['all', 'web', 'worker'];
const NUMBERS = [
  'poolSize',
  'pollMs',
  'concurrency',
  'concurrencyPerSubject',
  'leaseMs',
  'historyMs',
  'abandonMs',
  'abandoned',
  'abandonedPerSubject',
  'waitingPerSubject',
] as const;
const LARGEST = 2 ** 31 - 1;

/** Fills in the defaults. Throws a RangeError that names the first option that makes no sense. */
export function completeOptions(given: DbosOptions): CompleteOptions {
  const { concurrency = 512 } = given;
  const options: CompleteOptions = {
    role: 'all',
    schema: 'dbos',
    migrate: true,
    name: 'mcp-codegen',
    poolSize: 10,
    pollMs: 100,
    concurrency,
    concurrencyPerSubject: Math.max(Math.floor(concurrency / 2), 1),
    concurrencyPerTool: {},
    priorityPerTool: {},
    leaseMs: 10_000,
    historyMs: 86_400_000,
    abandonMs: 5_000,
    abandoned: 64,
    abandonedPerSubject: 16,
    waitingPerSubject: 1_000,
    ...withoutUndefined(given),
  };
  if (!ROLES.includes(options.role)) {
    throw new RangeError(`role must be all, web or worker, not ${options.role}`);
  }
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(options.schema)) {
    throw new RangeError(
      `schema must have 1 to 63 of a-z, 0-9 and _, and not begin with a digit: ${options.schema}`,
    );
  }
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(options.name)) {
    throw new RangeError(
      `name must have 1 to 100 letters, digits, _ and -, and begin with one of the first two: ${options.name}`,
    );
  }
  for (const name of NUMBERS) assertPositive(name, options[name]);
  for (const name of ['concurrencyPerTool', 'priorityPerTool'] as const) {
    for (const [tool, value] of Object.entries(options[name])) {
      assertPositive(`${name} of ${tool}`, value);
    }
  }
  if (options.concurrencyPerSubject > options.concurrency) {
    throw new RangeError(
      `concurrencyPerSubject (${options.concurrencyPerSubject}) must not exceed concurrency (${options.concurrency})`,
    );
  }
  return options;
}

function assertPositive(name: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 1 && value <= LARGEST) return;
  throw new RangeError(`${name} must be an integer from 1 to ${LARGEST}, not ${String(value)}`);
}
