import { DBOS } from '@dbos-inc/dbos-sdk';
import type { Pool } from 'pg';

import { oneAtATime, quietLogger } from './database.js';
import { WORKFLOW, type Names, type WorkflowTask } from './names.js';
import type { CompleteOptions } from './options.js';

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

/** DBOS is one for the process: its registry, its configuration and its state are global. */
let running: WorkerDependencies | undefined;
let registered = false;

/**
 * Launches DBOS, which from now on claims workflows from the queues. Throws when this process runs it already.
 */
export async function launchWorker(dependencies: WorkerDependencies): Promise<void> {
  if (running !== undefined || DBOS.isInitialized()) {
    throw new Error(
      'DBOS runs in this process already, and runs once in a process. Start each worker in a process of its own, ' +
        "or give the others the role 'web'.",
    );
  }
  running = dependencies;
  try {
    await launch(dependencies);
  } catch (error) {
    running = undefined;
    throw error;
  }
}

async function launch({ options, names, pool, worker, report }: WorkerDependencies): Promise<void> {
  register();
  DBOS.setConfig({
    name: options.name,
    systemDatabasePool: pool,
    systemDatabaseSchemaName: options.schema,
    runMigrations: options.migrate,
    executorID: worker,
    applicationVersion: names.version,
    logger: quietLogger(report),
    // Only queues are used, and those are polled.
    useListenNotify: false,
    enableOTLP: false,
    tracingEnabled: false,
  });
  await (options.migrate ? oneAtATime(pool, options.schema, () => DBOS.launch()) : DBOS.launch());
}

function register(): void {
  if (registered) return;
  registered = true;
  const run = (task: WorkflowTask): Promise<void> => {
    if (running === undefined) throw new Error('The worker is closed');
    return running.run(task);
  };
  DBOS.registerWorkflow(run, { name: WORKFLOW });
}

/** Claims no more workflows. Those that run go on, and their ends are still recorded. */
export async function closeWorker(): Promise<void> {
  await DBOS.shutdown();
  running = undefined;
}
