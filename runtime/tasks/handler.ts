import type { CallerIdentity, JsonObject, Progress, TaskSummary } from './record.js';

/** What runs a tool (or another request) and returns its result as JSON. */
export interface TaskHandler {
  run(context: HandlerContext): unknown;
  /**
   * What is wrong with arguments that were stored, for logs; undefined when `run` can use them. Another version of the server may
   * have accepted them: a process leaves a task whose arguments it refuses to others for a while.
   */
  refuses?(args: unknown): string | undefined | Promise<string | undefined>;
  /** Whether it may be run again from the start when the process that ran it was lost. Default: no. */
  readonly retryable?: boolean;
  /**
   * Whether everything in it that must not happen twice is a step. Then it may also be run again when it was lost
   * before the record of its first step. Default: no.
   */
  readonly steps?: boolean;
}

/** Whether a task of the handler may run again from the start, before it has a step. */
export function mayStartAgain(handler: TaskHandler | undefined): boolean {
  return handler?.retryable === true || handler?.steps === true;
}

/** Finds the handler for a task by its method and tool. */
export type HandlerLookup = (task: TaskSummary) => TaskHandler | undefined;

export interface HandlerContext {
  readonly args: unknown;
  readonly task: TaskControls;
  /** Who created the task. Undefined when the server does not identify its callers. */
  readonly caller: CallerIdentity | undefined;
}

/** A handler's side of its task. A promise that the handler does not await cannot crash the process. */
export interface TaskControls {
  readonly id: string;
  /** The owner: an opaque key, equal for all requests of one owner. */
  readonly owner: string;
  /** The user behind the owner: an opaque key. Absent when the owner is a subject of its own. */
  readonly subjectKey?: string;
  /** 1 on the first run; more when it is run again. */
  readonly attempt: number;
  /** Aborted when the task is cancelled, expires or is taken over, and when the drain time of a shutdown ends. */
  readonly signal: AbortSignal;
  /**
   * Reports progress to the current listeners, and records it as the status message at most once a second.
   * Values that do not increase are dropped.
   */
  progress(progress: Progress): void;
  /** Records a message for people at once. Quick successive calls may be merged into the last. */
  setStatus(message: string): Promise<void>;
  /**
   * Runs `work` once and records its result, as JSON, before it resolves with what JSON makes of it. When the task is run again after
   * its process was lost, a finished step returns its recorded result and `work` is not called. A step that
   * throws is not recorded, and may be tried again. A task with a step may be run again, also when its tool
   * is declared neither `retryable` nor `steps`.
   *
   * `work` can run twice: when the process is lost after the effect and before the record. Pass
   * `idempotencyKey` to the system that it calls.
   */
  step: RunStep;
  /** Pauses for milliseconds, or until a time. Holds no slot meanwhile, and lasts across restarts. */
  sleep(until: number | Date): Promise<void>;
  /** Asks the user. Rejects with the requestor's error, or when the run ends first. */
  elicit(params: JsonObject, options?: InputOptions): Promise<ElicitAnswer>;
  /**
   * Tells the client that the user is done on the page of a question by URL (`mode: 'url'`), so that it need not ask the
   * user. Does nothing where the client's revision has no such notification. In a task, rejects with `-32602` when the
   * task has not asked with this id.
   */
  elicitationComplete(elicitationId: string): Promise<void>;
  /** Asks for a completion by the requestor's model. */
  sample(params: JsonObject, options?: InputOptions): Promise<JsonObject>;
  /** Asks for anything else that the dialect allows. */
  input(method: string, params: JsonObject, options?: InputOptions): Promise<JsonObject>;
}

export interface RunStep {
  /** `name` is unique within the task. */
  <T>(name: string, work: StepWork<T>): Promise<AsJson<T>>;
  /** Named `step-1`, `step-2` and so on, in the order of the calls, which must then be the same in each run. */
  <T>(work: StepWork<T>): Promise<AsJson<T>>;
}

export type StepWork<T> = (context: StepContext) => T | Promise<T>;

export interface StepContext {
  /** The same whenever this step of this task runs, and of no other. */
  readonly idempotencyKey: string;
}

export interface InputOptions {
  /**
   * Names the request within the task. Without a name, requests are numbered in the order asked; a
   * handler that may be run again and asks in varying order names its requests.
   */
  readonly key?: string;
}

export interface ElicitAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: JsonObject;
}

/**
 * What a value of this type is after it was written as JSON and read again: a `Date` is a string, methods are absent. `never`
 * for what cannot be written.
 */
export type AsJson<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined | void
    ? T
    : T extends { toJSON(...key: never): infer R }
      ? AsJson<R>
      : T extends bigint | symbol | AnyFunction
        ? never
        : T extends ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
          ? Record<never, never>
          : T extends readonly unknown[]
            ? { [K in keyof T]: T[K] extends LeftOut ? null : AsJson<T[K]> }
            : { [K in keyof T as Written<K, T[K]>]: AsJson<T[K]> };

type AnyFunction = (...args: never) => unknown;
type LeftOut = undefined | symbol | AnyFunction;
type Written<K, V> = K extends symbol ? never : V extends symbol | AnyFunction ? never : K;
