import type { Carrier } from '../telemetry/index.js';
import type { Clock } from './clock.js';
import type { ExecutorUsage } from './executor.js';
import type { JsonObject, TaskSummary } from './record.js';
import type { TaskStore } from './store.js';
import type { Patch } from './transitions.js';

/**
 * What records tasks for operators, and what takes its place where nothing does. `telemetry.ts` and `measures.ts` record
 * with OpenTelemetry. Bundles for places without it have this file alone.
 */

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
interface Load extends Running, Partial<ExecutorUsage> {}

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

/** What can happen to a task, or to a request for one. */
export type AuditEventType =
  | 'created'
  | 'deduplicated'
  | 'input_requested'
  | 'input_answered'
  | 'step_finished'
  | 'steps_changed'
  | 'retrieved'
  | 'listed'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'expired'
  | 'recovered'
  | 'released'
  | 'left'
  | 'fenced'
  | 'abandoned'
  | 'refused'
  | 'fault';

export interface AuditEvent {
  readonly type: AuditEventType;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly owner?: string;
  readonly dialect?: string;
  readonly taskId?: string;
  readonly method?: string;
  readonly tool?: string;
  /** Why, for what was refused, failed or faulty; which step. */
  readonly reason?: string;
}

/** May be slow or fail; neither reaches the tasks. */
export type AuditSink = (event: AuditEvent) => unknown;

export type Audit = (type: AuditEventType, subject: AuditSubject, reason?: string) => void;

/** A task, or the part of a request that could be read. */
export type AuditSubject = Partial<
  Pick<TaskSummary, 'owner' | 'dialect' | 'id' | 'method' | 'tool'>
>;

export function createAudit(clock: Clock, sink: AuditSink | undefined): Audit {
  if (sink === undefined) return () => undefined;
  return (type, { owner, dialect, id, method, tool }, reason) => {
    const event: AuditEvent = {
      type,
      at: clock.now(),
      ...(owner !== undefined && { owner }),
      ...(dialect !== undefined && { dialect }),
      ...(id !== undefined && { taskId: id }),
      ...(method !== undefined && { method }),
      ...(tool !== undefined && { tool }),
      ...(reason !== undefined && { reason }),
    };
    void deliver(sink, event);
  };
}

/** Ignores a sink that throws as well as one that rejects. */
async function deliver(sink: AuditSink, event: AuditEvent): Promise<void> {
  try {
    await sink(event);
  } catch {
    // A faulty sink must not affect a task.
  }
}
