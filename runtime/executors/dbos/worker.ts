import type { DBOSConfig } from '@dbos-inc/dbos-sdk';
import type { Pool } from 'pg';

import { grantTables, oneAtATime, openPool, quietLogger } from './database.js';
import { WORKFLOW, type Names, type WorkflowTask } from './names.js';
import type { CompleteOptions } from './options.js';
import { dbos } from './packages.js';

export interface WorkerDependencies {
  readonly options: CompleteOptions;
  readonly names: Names;
  readonly pool: Pool;
  /** DBOS's name for this process. */
  readonly worker: string;
  readonly report: (error: unknown) => void;
  /** Runs a task whose workflow this process has claimed. The workflow is over when it resolves. */
  readonly run: (task: WorkflowTask) => Promise<void>;
}

/** What a launch of DBOS needs. */
type Launching = Omit<WorkerDependencies, 'pool' | 'run'>;

export class AlreadyRunningError extends Error {
  override readonly name = 'AlreadyRunningError';

  constructor() {
    super(
      'DBOS runs in this process already, and runs once in a process. Start each worker in a process of its own, ' +
        "or give the others the role 'web', and call migrateDbos before a worker starts.",
    );
  }
}

/** DBOS is one for the process: its registry, its configuration and its state are global. */
let running: WorkerDependencies | undefined;
let registered = false;

/**
 * Launches DBOS, which from now on claims workflows from the queues. Throws when this process runs it already.
 */
export async function launchWorker(dependencies: WorkerDependencies): Promise<void> {
  assertNotRunning();
  running = dependencies;
  try {
    await launch(dependencies);
  } catch (error) {
    running = undefined;
    throw error;
  }
}

function assertNotRunning(): void {
  if (running !== undefined || dbos.DBOS.isInitialized()) throw new AlreadyRunningError();
}

async function launch(dependencies: WorkerDependencies): Promise<void> {
  const { options, pool } = dependencies;
  register();
  if (options.migrate) await migrate(dependencies);
  dbos.DBOS.setConfig(configOf(dependencies, pool));
  await launchDbos();
}

/** A launch that fails leaves timers behind, which would keep the process alive. */
async function launchDbos(): Promise<void> {
  try {
    await dbos.DBOS.launch();
  } catch (error) {
    await dbos.DBOS.shutdown();
    throw outdated(error) ?? error;
  }
}

/** DBOS names a database that is not this one, because it gets a pool, and a command that does not know the schema. */
function outdated(error: unknown): Error | undefined {
  const [, found, needed] = /schema version (\d+), .*requires (\d+)/.exec(String(error)) ?? [];
  if (found === undefined) return undefined;
  return new Error(
    `DBOS's tables are of version ${found}, and this version of DBOS needs ${needed}. Call migrateDbos before the ` +
      'worker starts, or set migrate: true',
  );
}

/** Creates or updates the tables, which `role` may use from then on. Throws when this process runs DBOS already. */
export async function migrateTables(launching: Launching, role?: string): Promise<void> {
  assertNotRunning();
  await migrate(launching, role);
}

/** DBOS migrates when it is launched: `DBOS.migrate` would take neither a pool nor options of TLS. */
async function migrate(launching: Launching, role?: string): Promise<void> {
  const { options } = launching;
  const pool = openPool(options, true);
  try {
    await oneAtATime(pool, options.schema, async () => {
      dbos.DBOS.setConfig({
        ...configOf(launching, pool),
        runMigrations: true,
        listenQueues: [],
      });
      await launchDbos();
      await dbos.DBOS.shutdown();
      if (role !== undefined) await grantTables(pool, options.schema, role);
    });
  } finally {
    await pool.end();
  }
}

function configOf({ options, names, worker, report }: Launching, pool: Pool): DBOSConfig {
  return {
    name: options.name,
    systemDatabasePool: pool,
    systemDatabaseSchemaName: options.schema,
    runMigrations: false,
    executorID: worker,
    applicationVersion: names.version,
    logger: quietLogger(report),
    // Only queues are used, and those are polled.
    useListenNotify: false,
    enableOTLP: false,
    tracingEnabled: false,
  };
}

function register(): void {
  if (registered) return;
  registered = true;
  const run = (task: WorkflowTask): Promise<void> => {
    if (running === undefined) throw new Error('The worker is closed');
    return running.run(task);
  };
  dbos.DBOS.registerWorkflow(run, { name: WORKFLOW });
}

/** Claims no more workflows. Those that run go on, and their ends are still recorded. */
export async function closeWorker(): Promise<void> {
  await dbos.DBOS.shutdown();
  running = undefined;
}
