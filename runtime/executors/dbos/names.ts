import { createHash } from 'node:crypto';

import { subjectKeyOf, type TaskKey, type TaskSummary } from '../../tasks/index.js';
import type { CompleteOptions } from './options.js';

/** The workflow that runs a task. */
export const WORKFLOW = 'mcp-task';

/** The workflow's only argument: where the task's record is, and which queue it belongs to. */
export type WorkflowTask = TaskKey & Pick<TaskSummary, 'tool'>;

/** A queue as DBOS registers it. */
export interface QueueDefinition {
  readonly name: string;
  /** Workflows at a time in the cluster. Absent: no limit. */
  readonly globalConcurrency?: number;
  readonly workerConcurrency: number;
  readonly partitionWorkerConcurrency: number;
  readonly minPollingIntervalMs: number;
}

const DEFAULT_PRIORITY = 1_000;

/** Names of one application in DBOS's tables. They begin with its name, because DBOS wants them unique there. */
export interface Names {
  /**
   * DBOS lets a worker claim only workflows of its own version. All nodes give the same: it is the version of
   * the workflow's argument, and what the handlers of an old and a new deployment may do with each other's
   * tasks is decided by the task's record.
   */
  readonly version: string;
  /** For the tools without a limit of their own. */
  readonly commonQueue: QueueDefinition;
  readonly toolQueues: readonly QueueDefinition[];
  queueOf(task: WorkflowTask): string;
  priorityOf(task: WorkflowTask): number;
  /** Queues are partitioned by subject. A subject may be any string, which a text column does not take. */
  partitionOf(task: WorkflowTask): string;
}

export function createNames(options: CompleteOptions): Names {
  const { name, concurrency, concurrencyPerSubject, pollMs } = options;
  const limits = new Map(Object.entries(options.concurrencyPerTool));
  const priorities = new Map(Object.entries(options.priorityPerTool));
  const common = `${name}.tasks`;
  const queueFor = (tool: string): string => `${name}.tool.${tool}`;
  return {
    version: `${name}.tasks.1`,
    commonQueue: {
      name: common,
      workerConcurrency: concurrency,
      partitionWorkerConcurrency: concurrencyPerSubject,
      minPollingIntervalMs: pollMs,
    },
    toolQueues: [...limits].map(([tool, limit]) => ({
      name: queueFor(tool),
      globalConcurrency: limit,
      workerConcurrency: Math.min(limit, concurrency),
      partitionWorkerConcurrency: Math.min(limit, concurrencyPerSubject),
      minPollingIntervalMs: pollMs,
    })),
    queueOf: ({ tool }) => (tool !== undefined && limits.has(tool) ? queueFor(tool) : common),
    priorityOf: ({ tool }) => priorities.get(tool ?? '') ?? DEFAULT_PRIORITY,
    partitionOf: (task) =>
      createHash('sha256').update(subjectKeyOf(task), 'utf16le').digest('base64url'),
  };
}
