import type { Dialect, TaskStatus } from '../rules/tasks.js';

export { type Dialect, DIALECTS, type TaskStatus } from '../rules/tasks.js';

/**
 * A JSON value as text. Payloads travel as text from the moment they are accepted: measured once
 * against a limit, stored as they are, parsed by the reader that needs the value. No store can alter one.
 */
export type JsonText = string;

export type JsonObject = { readonly [key: string]: unknown };

/** A caller and its dialect. `owner` is an opaque key; callers with equal keys are the same. */
export interface Caller {
  readonly owner: string;
  readonly dialect: Dialect;
  /**
   * The key of the user behind the owner, who may be several owners: one for each client. The caps of a subject
   * count them together. Always the same for one owner. Absent: the owner is a subject of its own.
   */
  readonly subjectKey?: string;
}

/**
 * Who made a call, as a verified token says, or the middleware in front of the server. Two callers are the same user
 * when both `issuer` and `subject` are equal: a subject alone may be another user's at another issuer. It holds no token.
 */
export interface CallerIdentity {
  /** The authorization server that vouches for the subject: the `iss` of a token. */
  readonly issuer: string;
  /** The user at that issuer: the `sub` of a token. */
  readonly subject: string;
  /** The application that the user runs: the `client_id` of a token. */
  readonly client: string;
  /** What the token of this call may do. */
  readonly scopes: readonly string[];
}

/**
 * A task's whole address. The owner is part of it, so that the task of another owner is not found, instead
 * of found and refused: the look-up does the same work as for an id that never existed.
 */
export interface TaskKey extends Caller {
  readonly id: string;
}

/** One request to the requestor, and its answer once there is one. */
export interface InputEntry {
  /** Unique within the task, for good. */
  readonly key: string;
  /** The key that the handler gave, where another question already had it. */
  readonly name?: string;
  readonly method: string;
  readonly params: JsonText;
  /** An {@link InputAnswer}. */
  readonly answer?: JsonText;
  /** No longer wanted: a later run of the handler asked something else instead. */
  readonly withdrawn?: true;
  /** The user is done on the page of a question by URL. */
  readonly completed?: true;
}

/** One step of a handler, or one of its pauses. Steps and pauses share their names. */
export interface StepEntry {
  /** Unique within the task. */
  readonly name: string;
  /** The attempt that started it, or finished it. */
  readonly attempt: number;
  /** What the step returned, empty for `undefined`. Absent while it runs, and for a pause. */
  readonly result?: JsonText;
  /** When a pause ends, in milliseconds since the epoch. */
  readonly until?: number;
  /** When it finished, or when the pause began, in milliseconds since the epoch. */
  readonly at?: number;
}

/** What a task came to while it lived: a status, and the attempt that was then the last. */
export interface HistoryEntry {
  readonly status: TaskStatus;
  readonly attempt: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export type InputAnswer = { readonly result: JsonObject } | { readonly error: RpcError };

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** How the operation ended: exactly the answer that the plain request would have got. */
export type Outcome = { readonly result: JsonObject } | { readonly error: RpcError };

/** A task without its payloads: what a list shows. Times are milliseconds since the epoch. */
export interface TaskSummary extends TaskKey {
  /** Who created it, with the scopes of that call. Absent when the server does not identify its callers. */
  readonly caller?: CallerIdentity;
  readonly method: string;
  readonly tool?: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  /** What the run last wrote of its progress, where a client gave a token for it. Absent once the task has ended. */
  readonly progress?: Progress;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Milliseconds from creation. */
  readonly ttl: number;
  /** Milliseconds between polls that the requestor is asked to keep. */
  readonly pollInterval: number;
  readonly progressToken?: string | number;
  /** Carries the submitting span, so that execution and retrieval join its trace. */
  readonly trace?: Readonly<Record<string, string>>;
  readonly idempotency?: Idempotency;
  /** Grows by one with every change; a change names the version that it was made from. */
  readonly version: number;
  /** The worker that runs the task; empty when any worker may take it. */
  readonly worker: string;
  /** Grows by one whenever the task changes hands; a run with an older one may not write. */
  readonly fence: number;
  /** 1 for the first run; one more for each run after one that was lost while its handler ran. */
  readonly attempt: number;
  /** The id of the task whose request this one repeats, because an administrator retried it. */
  readonly retryOf?: string;
  /** The id of the task that repeats this one's request. */
  readonly retriedAs?: string;
  /**
   * Changes of status and attempt between the creation and the end, oldest first: the newest
   * {@link HISTORY_ENTRIES}. Absent when there were none.
   */
  readonly history?: readonly HistoryEntry[];
  /** Its worker has not started the handler under this fence. Absent: it may have. */
  readonly queued?: boolean;
  /** When it first left the queue: it started, or ended without a start. Absent when it never was queued. */
  readonly queuedUntil?: number;
}

export interface TaskRecord extends TaskSummary {
  /** What the handler gets. */
  readonly args: JsonText;
  /** Every request for input so far, in the order asked. */
  readonly input: readonly InputEntry[];
  /** The handler's steps, in the order in which they were first recorded. */
  readonly steps: readonly StepEntry[];
  /** An {@link Outcome}; present when `status` is completed or failed. */
  readonly outcome?: JsonText;
}

/** `digest` covers the request, so that a key used again for another request is noticed. */
export interface Idempotency {
  readonly key: string;
  readonly digest: string;
}

/** Entries of a task's history that are kept. */
export const HISTORY_ENTRIES = 50;

/**
 * What became of the work of a task, for those who operate the servers. In the tasks extension a task whose tool
 * returned an error is `completed` for its client; its work failed.
 */
export function workStatus({
  status,
  statusMessage,
}: Pick<TaskSummary, 'status' | 'statusMessage'>): TaskStatus {
  // A task completes with a message only when its tool returned an error: the text of the error.
  return status === 'completed' && statusMessage !== undefined ? 'failed' : status;
}

export function expiresAt(task: TaskSummary): number {
  return task.createdAt + task.ttl;
}

/** How a finished task ended, or undefined for one that is live or was cancelled. */
export function outcomeOf(record: TaskRecord): Outcome | undefined {
  return record.outcome === undefined ? undefined : (JSON.parse(record.outcome) as Outcome);
}

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}
