import { join } from 'node:path';

import { migratePostgres } from '../../../runtime/stores/postgres/index.js';
import { startPostgres, type PostgresDatabase } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/stores.js';
import { createRandom } from '../random.js';
import { startClients } from './clients.js';
import { createCluster, type ChaosNode } from './cluster.js';
import { FAULTS, pickFault, type NodeFault, type Stage } from './faults.js';
import { checkHistory, keepHistory, type Tally } from './history.js';
import type { ExecutorKind } from './node.js';
import { createLedger } from './ledger.js';
import { startStaleWriter } from './stale-writer.js';

/**
 * Two to five server processes on one PostgreSQL, clients that create and follow tasks over HTTP, and one
 * fault after the other. The seed decides the faults; when what happens is up to the processes.
 */
export interface ChaosOptions {
  readonly rounds: number;
  readonly seed: number;
  readonly executor: ExecutorKind;
  readonly onRound?: (round: number, fault: string) => void;
}

export interface ChaosResult extends Tally {
  readonly rounds: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly staleWritesRefused: number;
  /** Events that nodes reported: tasks taken over, handed over, and writes of runs that had lost their task. */
  readonly audit: Readonly<Record<string, number>>;
  /** Milliseconds from the end of the last fault until every task had ended. */
  readonly settledMs: number;
}

const LEASE_MS = 2_000;
const FIRST_CLUSTER = 4;
const LANES = 40;
const LONGEST_GAP_MS = 1_500;
const STORM = 1_000;
/** After the last fault: a lease, retries of a store that was away, and the work. */
const LONGEST_SETTLE_MS = 40_000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Throws at the first promise that is broken, with the seed. */
export async function chaosRounds(options: ChaosOptions): Promise<ChaosResult> {
  const folder = temporaryFolder();
  // The log is written before a commit is acknowledged, and outlives the server's processes without a flush.
  const server = await startPostgres({ settings: { synchronous_commit: 'on' } });
  const database = await server.newDatabase();
  const effects = join(folder.path, 'effects');
  await migratePostgres({ connectionString: database.url });
  await keepHistory(database);
  const cluster = createCluster({
    ...{ database: database.url, leaseMs: LEASE_MS, effects, executor: options.executor },
  });
  const random = createRandom(options.seed);
  try {
    const stage: Stage = { cluster, server, database, random, leaseMs: LEASE_MS };
    return await play(options, stage, effects);
  } catch (error) {
    throw new Error(
      `Seed ${options.seed}: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  } finally {
    await cluster.close();
    await server.stop();
    folder.remove();
  }
}

async function play(options: ChaosOptions, stage: Stage, effects: string): Promise<ChaosResult> {
  const { cluster, database, random } = stage;
  await Promise.all(Array.from({ length: FIRST_CLUSTER }, () => cluster.add()));
  const ledger = createLedger();
  const clients = startClients({ cluster, ledger, random, lanes: LANES });
  const writer = await startStaleWriter(database, random, () => ledger.live());
  const [faults] = await Promise.all([
    disturb(options, stage, clients.broken).finally(() => clients.stop()),
    sleep(1_000).then(() => clients.storm('storm-1', STORM)),
  ]);
  const staleWritesRefused = await writer.stop();
  const calm = performance.now();
  await within(LONGEST_SETTLE_MS, noneLive(database, clients.done), () => liveTasks(database));
  const settledMs = Math.round(performance.now() - calm);
  const tally = await checkHistory(database, ledger, effects);
  const audit = Object.fromEntries(cluster.audit);
  return { rounds: options.rounds, ...tally, staleWritesRefused, faults, audit, settledMs };
}

/** One fault after the other; several may be at work at a time, on different nodes. */
async function disturb(
  { rounds, seed, onRound = () => undefined }: ChaosOptions,
  stage: Stage,
  isBroken: () => boolean,
): Promise<Record<string, number>> {
  const { server } = stage;
  // Of its own, so that the seed decides the order of faults, however the processes run.
  const random = createRandom(seed);
  const possible = FAULTS.filter(({ needsRestart }) => !needsRestart || server.restart);
  const counts: Record<string, number> = {};
  const running = new Set<Promise<void>>();
  let shared: Promise<void> = Promise.resolve();
  for (let round = 1; round <= rounds && !isBroken(); round += 1) {
    const fault = pickFault(random, possible);
    counts[fault.name] = (counts[fault.name] ?? 0) + 1;
    onRound(round, fault.name);
    if (fault.on === 'all') await shared;
    const over = fault.on === 'all' ? (shared = fault.run(stage)) : onNode(fault, stage);
    running.add(over);
    void over.finally(() => running.delete(over)).catch(() => undefined);
    await sleep(random.integer(LONGEST_GAP_MS));
  }
  await Promise.all(running);
  return counts;
}

/** Takes a node that no other fault has, and leaves one alone. */
async function onNode(fault: NodeFault, stage: Stage): Promise<void> {
  const { cluster, random } = stage;
  const idle = (): readonly ChaosNode[] => cluster.nodes.filter(({ busy }) => !busy);
  while (idle().length < 2) await sleep(20);
  const node = random.pick(idle());
  node.busy = true;
  try {
    await fault.run(stage, node);
  } finally {
    node.busy = false;
  }
}

const LIVE = 'SELECT summary FROM mcp_tasks.tasks WHERE live';

async function liveTasks(database: PostgresDatabase): Promise<string> {
  const rows = await database.sql(LIVE);
  const some = rows.slice(0, 3).map(({ summary }) => String(summary));
  return `${rows.length} tasks have not ended: ${some.join('\n')}`;
}

async function noneLive(database: PostgresDatabase, done: Promise<void>): Promise<void> {
  await done;
  while ((await database.sql(LIVE)).length > 0) await sleep(50);
}

async function within(
  ms: number,
  work: Promise<void>,
  problem: () => Promise<string>,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      problem().then((text) => reject(new Error(`After ${ms} ms ${text}`)), reject);
    }, ms);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
