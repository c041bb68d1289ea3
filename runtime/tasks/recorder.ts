/**
 * What records tasks for operators, and what takes its place where nothing does. `telemetry.ts` and `measures.ts` record
 * with OpenTelemetry. Bundles for places without it have this file alone.
 */

import type { Carrier } from '../telemetry/index.js';
import type { ExecutorUsage } from './executor.js';
import type { JsonObject, TaskSummary } from './record.js';
import type { TaskStore } from './store.js';
import type { Patch } from './transitions.js';

/** Runs of this process. */
export interface Running {
  /** Handlers at work. */
  readonly running: number;
  /** Handlers whose tasks wait for an answer. */
  readonly waiting: number;
  /** Handlers in a pause. */
  readonly paused: number;
}

/** What this process does at the moment. */
export interface Load extends Running, Partial<ExecutorUsage> {}

/** Metrics of tasks. */
export interface Measures {
  created(task: TaskSummary): void;
  ended(task: TaskSummary): void;
  refused(reason: string): void;
  /** A poll within half the poll interval. */
  eagerPoll(): void;
  /** A task was taken over from a lost worker. */
  recovered(task: TaskSummary): void;
  /** Reads the load whenever metrics are collected. Returns what ends that. */
  observe(load: () => Load): () => void;
  /** The store, with its operations measured. The same store where nothing records metrics. */
  measured(store: TaskStore): TaskStore;
}

export const NO_MEASURES: Measures = {
  created: () => undefined,
  ended: () => undefined,
  refused: () => undefined,
  eagerPoll: () => undefined,
  recovered: () => undefined,
  observe: () => () => undefined,
  measured: (store) => store,
};

/** OpenTelemetry spans and metrics of tasks. They do nothing unless the user's process sets up an SDK. */
export interface Telemetry extends Measures {
  /** Runs `create` in the trace of the request. `create` stores the carrier, which holds that trace. */
  submit<T>(
    request: {
      readonly method: string;
      readonly tool: string | undefined;
      readonly meta: JsonObject;
    },
    create: (carrier: Carrier) => Promise<T>,
  ): Promise<T>;
  /** Runs the handler in the trace of the submission. `work` resolves with how it ended. */
  execute(task: TaskSummary, work: () => Promise<Patch>): Promise<void>;
  /** Runs a step in the trace of its handler. */
  step<T>(task: TaskSummary, name: string, work: () => Promise<T>): Promise<T>;
  /** Records in the task's trace that its outcome was fetched, linked to the request that fetched it. */
  retrieved(task: TaskSummary): void;
}

/** For processes without `@opentelemetry/api`. */
export const NO_TELEMETRY: Telemetry = {
  ...NO_MEASURES,
  submit: (_request, create) => create({}),
  async execute(_task, work) {
    await work();
  },
  step: (_task, _name, work) => work(),
  retrieved: () => undefined,
};
