import { createDbosExecutor } from '../../../runtime/executors/dbos/index.js';
import { createInProcessExecutor } from '../../../runtime/executors/in-process/index.js';
import { createTaskServer, serveHttp } from '../../../runtime/server/index.js';
import { openPostgresStore } from '../../../runtime/stores/postgres/index.js';
import type { TaskExecutor } from '../../../runtime/tasks/index.js';
import { setWallClock } from '../../server/shift-clock.js';
import { authorization } from '../../server/tokens.js';
import { chaosTools } from './tools.js';

/** A node of the chaos test: a task server over HTTP on a database that it shares with others. */
export interface NodeOptions {
  readonly name: string;
  readonly database: string;
  readonly leaseMs: number;
  /** The file for what the handlers do. */
  readonly effects: string;
  readonly executor: ExecutorKind;
  /** What the node does with tasks, where the executor tells nodes apart. */
  readonly role: NodeRole;
}

export type ExecutorKind = 'in-process' | 'dbos';
export type NodeRole = 'all' | 'web' | 'worker';

/** What a node sends to the process that started it. */
export type NodeMessage =
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'audit'; readonly type: string };

/** What it receives: milliseconds by which its wall clock is wrong from now on. */
export interface NodeOrder {
  readonly wallClock: number;
}

const options = JSON.parse(process.argv[2] ?? '') as NodeOptions;
const { name, database, leaseMs, effects } = options;
const MANY = 1e6;
const concurrency = 32;
const showsFaults = process.env['CHAOS_VERBOSE'] !== undefined;
const COUNTED: readonly string[] = ['recovered', 'released', 'fenced'];

function createExecutor(): TaskExecutor {
  if (options.executor === 'in-process') return createInProcessExecutor({ leaseMs, concurrency });
  const { role } = options;
  return createDbosExecutor({
    role,
    connectionString: database,
    leaseMs,
    concurrency,
    poolSize: 5,
  });
}

function send(message: NodeMessage): void {
  if (process.connected) process.send?.(message);
}

process.on('message', ({ wallClock }: NodeOrder) => setWallClock(wallClock));
process.on('disconnect', () => process.exit());

const store = await openPostgresStore({
  connectionString: database,
  applicationName: name,
  poolSize: 5,
  // Shorter than by default, as the lease is, so that a round does not take long.
  connectTimeoutMs: 2_000,
  statementTimeoutMs: 2_000,
  pollMs: 500,
});
const server = await createTaskServer({
  name: 'chaos',
  version: '1.0.0',
  tools: chaosTools(effects, name),
  store,
  executor: createExecutor(),
  pollInterval: 50,
  limits: {
    ...{ live: MANY, livePerOwner: MANY, storedPerOwner: MANY },
    ...{ createsPerSecond: MANY, createBurst: MANY, readsPerSecond: MANY, readBurst: MANY },
  },
  audit({ type }) {
    if (COUNTED.includes(type)) send({ kind: 'audit', type });
  },
  // Faults are what the test is about.
  onError: ({ message }) => void (showsFaults && console.error(`${name}: ${message}`)),
});
const http = await serveHttp(server, { auth: authorization });
process.once('SIGTERM', () => {
  void http
    .close()
    .then(() => server.close(500))
    .finally(() => process.exit());
});
send({ kind: 'listening', url: http.url });
