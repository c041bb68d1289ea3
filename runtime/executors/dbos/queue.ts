import type { Pool } from 'pg';

import { quietLogger } from './database.js';
import { WORKFLOW, type Names, type QueueDefinition, type WorkflowTask } from './names.js';
import type { CompleteOptions } from './options.js';
import { dbos } from './packages.js';

/** Where a task's workflow is: not there, in a queue, claimed by a worker, or over. */
export type WorkflowState = 'missing' | 'queued' | 'claimed' | 'over';

/** The workflows of tasks in DBOS's tables. Each has its task's id. Works without a running DBOS. */
export interface WorkflowQueue {
  /** Puts a new task's workflow into its queue, unless it is there. */
  enqueue(task: WorkflowTask): Promise<void>;
  states(tasks: readonly WorkflowTask[]): Promise<ReadonlyMap<string, WorkflowState>>;
  /** Puts claimed workflows back into their queues. Their workers lose them. */
  resume(tasks: readonly WorkflowTask[]): Promise<void>;
  /** Puts a workflow that is over back into its queue. */
  rewind(task: WorkflowTask): Promise<void>;
  /** Up to `limit` tasks, after the first `skip`, whose workflows were claimed before `time`, and are not over. */
  claimedBefore(time: number, limit: number, skip: number): Promise<readonly WorkflowTask[]>;
  /** Creates a queue or changes its limits. Workers follow within about a second. */
  define(definition: QueueDefinition): Promise<void>;
  /** The limit of the queue on each worker. */
  workerConcurrency(name: string): Promise<number>;
  /** Deletes up to `limit` workflows that ended before `time`, and returns how many. */
  prune(time: number, limit: number): Promise<number>;
  close(): Promise<void>;
}

/** By DBOS's status. */
const STATES: Readonly<Record<string, WorkflowState>> = {
  ENQUEUED: 'queued',
  DELAYED: 'queued',
  PENDING: 'claimed',
};

/** Above the number of every step: rewinding to it forgets none. */
const AFTER_ALL_STEPS = 2 ** 31 - 1;

export interface WorkflowQueueDependencies {
  readonly options: CompleteOptions;
  readonly names: Names;
  readonly pool: Pool;
  readonly report: (error: unknown) => void;
}

export async function openWorkflowQueue({
  options,
  names,
  pool,
  report,
}: WorkflowQueueDependencies): Promise<WorkflowQueue> {
  const client = await dbos.DBOSClient.create({
    // The pool has its own idea of where the database is.
    systemDatabaseUrl: '',
    systemDatabasePool: pool,
    systemDatabaseSchemaName: options.schema,
    applicationName: options.name,
    logger: quietLogger(report),
  });

  return {
    async enqueue(task) {
      const { owner, subjectKey, dialect, id, tool } = task;
      const argument: WorkflowTask = {
        ...{ owner, dialect, id },
        ...(subjectKey !== undefined && { subjectKey }),
        ...(tool !== undefined && { tool }),
      };
      await client.enqueue<(task: WorkflowTask) => Promise<void>>(
        {
          workflowName: WORKFLOW,
          workflowID: id,
          appVersion: names.version,
          queueName: names.queueOf(task),
          queuePartitionKey: names.partitionOf(task),
          priority: names.priorityOf(task),
        },
        argument,
      );
    },
    async states(tasks) {
      const found = await client.listWorkflows({
        workflowIDs: tasks.map(({ id }) => id),
        loadInput: false,
        loadOutput: false,
      });
      const states = new Map<string, WorkflowState>(tasks.map(({ id }) => [id, 'missing']));
      for (const { workflowID, status } of found) {
        states.set(workflowID, STATES[status] ?? 'over');
      }
      return states;
    },
    async resume(tasks) {
      for (const [queueName, group] of groupBy(tasks, (task) => names.queueOf(task))) {
        await client.resumeWorkflows(
          group.map(({ id }) => id),
          { queueName },
        );
      }
    },
    async rewind(task) {
      await client.rewindWorkflow(task.id, {
        startStep: AFTER_ALL_STEPS,
        queueName: names.queueOf(task),
        queuePartitionKey: names.partitionOf(task),
      });
    },
    async claimedBefore(time, limit, skip) {
      const claimed = await client.listWorkflows({
        workflowName: WORKFLOW,
        status: 'PENDING',
        dequeuedBefore: new Date(time).toISOString(),
        limit,
        offset: skip,
        loadOutput: false,
      });
      return claimed.map(({ input }) => input?.[0] as WorkflowTask);
    },
    async prune(time, limit) {
      const ended = await client.listWorkflows({
        workflowName: WORKFLOW,
        completedBefore: new Date(time).toISOString(),
        limit,
        loadInput: false,
        loadOutput: false,
      });
      if (ended.length > 0) await client.deleteWorkflows(ended.map((each) => each.workflowID));
      return ended.length;
    },
    async define({ name, ...limits }) {
      await client.registerQueue(name, limits);
    },
    async workerConcurrency(name) {
      return (await client.retrieveQueue(name))?.workerConcurrency ?? 0;
    },
    close: () => client.destroy(),
  };
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
