import { Client } from 'pg';

import type { PostgresDatabase, PostgresServer } from '../../support/postgres.js';
import type { Random } from '../random.js';
import { serving, type ChaosNode, type Cluster } from './cluster.js';

/** What faults act on. */
export interface Stage {
  readonly cluster: Cluster;
  readonly server: PostgresServer;
  readonly database: PostgresDatabase;
  readonly random: Random;
  readonly leaseMs: number;
}

/** What can go wrong. `run` resolves when it is over. */
export type Fault = NodeFault | SharedFault;

interface FaultBase {
  readonly name: string;
  /** How often it is picked, compared to the others. */
  readonly weight: number;
  /** Not for a server that was started by others. */
  readonly needsRestart?: boolean;
}

export interface NodeFault extends FaultBase {
  readonly on: 'node';
  readonly run: (stage: Stage, node: ChaosNode) => Promise<void>;
}

/** On PostgreSQL itself. Only one at a time. */
export interface SharedFault extends FaultBase {
  readonly on: 'all';
  readonly run: (stage: Stage) => Promise<void>;
}

export const LARGEST_CLUSTER = 5;
export const SMALLEST_CLUSTER = 2;

/** The test's own connections are the superuser's. */
const OF_NODES = 'datname = current_database() AND usename <> current_user';
const MINUTE_MS = 60_000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const FAULTS: readonly Fault[] = [
  {
    name: 'kill -9 of a node',
    weight: 6,
    on: 'node',
    async run(_, node) {
      node.kill('SIGKILL');
      await serving(node);
    },
  },
  {
    name: 'a node is paused past its lease',
    weight: 4,
    on: 'node',
    run: (stage, node) => paused(node, stage.leaseMs * (1 + 0.7 * stage.random.fraction())),
  },
  {
    name: 'a node is paused for a moment',
    weight: 2,
    on: 'node',
    run: (stage, node) => paused(node, stage.leaseMs * stage.random.fraction()),
  },
  {
    name: 'a node stops as for a deployment, and another starts',
    weight: 2,
    on: 'node',
    async run({ cluster }, node) {
      const added = cluster.add(node.role);
      await cluster.remove(node);
      await added;
    },
  },
  {
    name: 'a node joins or leaves',
    weight: 1,
    on: 'node',
    async run({ cluster, random }, node) {
      const { length } = cluster.nodes;
      const isLast = cluster.nodes.every((each) => each === node || each.role !== node.role);
      const mayLeave = length > SMALLEST_CLUSTER && !isLast;
      const joins = !mayLeave || (length < LARGEST_CLUSTER && random.chance(0.5));
      if (joins) await cluster.add();
      else await cluster.remove(node);
    },
  },
  {
    name: "a node's wall clock is minutes off",
    weight: 4,
    on: 'node',
    async run({ random }, node) {
      const minutes = random.pick([-1, 1]) * (1 + random.integer(60));
      node.setWallClock(minutes * MINUTE_MS);
      // It stays so until another fault of this kind, or a restart.
      await sleep(100);
    },
  },
  {
    name: 'the network between a node and PostgreSQL is a black hole',
    weight: 4,
    on: 'node',
    async run({ leaseMs, random }, { network }) {
      network.blackhole();
      await sleep(leaseMs * 2 * random.fraction());
      network.heal();
    },
  },
  {
    name: 'all connections of a node are reset',
    weight: 2,
    on: 'node',
    async run(_, { network }) {
      network.reset();
      await sleep(50);
    },
  },
  {
    name: 'the connection on which a node listens is ended',
    weight: 3,
    on: 'node',
    run: ({ database }, { name }) => terminate(database, `application_name = '${name} (listener)'`),
  },
  {
    name: 'some connections are ended by pg_terminate_backend',
    weight: 3,
    on: 'all',
    run: ({ database }) => terminate(database, `${OF_NODES} AND pid % 3 = 0`),
  },
  {
    name: 'all connections are ended by pg_terminate_backend',
    weight: 2,
    on: 'all',
    run: ({ database }) => terminate(database, OF_NODES),
  },
  {
    name: 'a transaction holds xmin while work goes on',
    weight: 2,
    on: 'all',
    run: ({ database, random }) =>
      inTransaction(database, 'SELECT pg_current_xact_id()', 1_000 + random.integer(8_000)),
  },
  {
    name: 'a transaction locks the tasks',
    weight: 1,
    on: 'all',
    run: ({ database, random }) =>
      inTransaction(database, 'LOCK TABLE mcp_tasks.tasks', random.integer(3_000)),
  },
  ...(['fast', 'immediate', 'kill'] as const).map((how): SharedFault => ({
    name: how === 'kill' ? 'kill -9 of PostgreSQL' : `PostgreSQL is restarted (${how})`,
    weight: 1,
    on: 'all',
    needsRestart: true,
    run: async ({ server }) => server.restart?.(how),
  })),
];

export function pickFault(random: Random, faults: readonly Fault[]): Fault {
  return random.pick(faults.flatMap((fault) => Array<Fault>(fault.weight).fill(fault)));
}

async function paused(node: ChaosNode, ms: number): Promise<void> {
  node.kill('SIGSTOP');
  await sleep(ms);
  node.kill('SIGCONT');
}

/** The server may be away itself: then the connections have ended as well. */
async function terminate(database: PostgresDatabase, which: string): Promise<void> {
  await database
    .sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${which}`)
    .catch(() => undefined);
}

/** Keeps a transaction open for a while, unless the server ends first. */
async function inTransaction(database: PostgresDatabase, text: string, ms: number): Promise<void> {
  const client = new Client({ connectionString: database.adminUrl });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await client.query(text);
    await sleep(ms);
    await client.query('COMMIT');
  } catch {
    // Another fault has ended the server or the connection.
  } finally {
    await client.end().catch(() => undefined);
  }
}
