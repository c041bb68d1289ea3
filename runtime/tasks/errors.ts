import { ERROR_CODES } from '../protocol.js';
import { merged } from './json.js';
import type { RpcError } from './record.js';

const { InvalidParams: INVALID_PARAMS, InternalError: INTERNAL } = ERROR_CODES;
/** Outside the range that JSON-RPC and MCP reserve, as the specification asks; HTTP's number, to be recognised. */
const OVER_LIMIT = 429;

/** Every reason for which the engine refuses a request or fails a task, with its JSON-RPC code. */
export const TASK_ERROR_CODES = {
  /** Unknown, expired, another owner's or another dialect's: all get the same error. */
  unknown_task: INVALID_PARAMS,
  invalid_cursor: INVALID_PARAMS,
  invalid_ttl: INVALID_PARAMS,
  invalid_params: INVALID_PARAMS,
  /** The step needs a live task. */
  ended: INVALID_PARAMS,
  /** An idempotency key came back with a different request. */
  idempotency_conflict: INVALID_PARAMS,
  /** `data` has the limit, its value and when a retry may succeed. */
  limit: OVER_LIMIT,
  /** The handler's outcome cannot be sent: not JSON, not an object, or too large. */
  invalid_result: INTERNAL,
  /** The process that ran the task stopped, and its tool may not be run again. */
  interrupted: INTERNAL,
  /** Nothing here runs this kind of task. */
  no_handler: INTERNAL,
  /** The task's arguments were valid when it was created, and a deploy has changed what its tool accepts. */
  stale_arguments: INTERNAL,
  /** A handler went on after its run had ended. */
  not_running: INTERNAL,
  /** The engine is shutting down. */
  closed: INTERNAL,
  /** The store failed; its own message goes to the audit sink, not to the requestor. */
  internal: INTERNAL,
} as const;

export type TaskErrorReason = keyof typeof TASK_ERROR_CODES;

export type TaskErrorData = { readonly reason: TaskErrorReason } & {
  readonly [detail: string]: unknown;
};

/** The only error that the engine's public operations reject with. `code` is the JSON-RPC code. */
export class TaskError extends Error implements RpcError {
  override readonly name = 'TaskError';
  readonly reason: TaskErrorReason;
  readonly code: number;
  readonly data: TaskErrorData;

  constructor(
    reason: TaskErrorReason,
    message: string,
    details: { readonly [detail: string]: unknown } = {},
    options?: ErrorOptions,
  ) {
    // A refusal is an answer, not a bug: it needs no stack trace, and taking one would cost more than the
    // rest of the refusal. A client that guesses ids could use that.
    const depth = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = depth;
    this.reason = reason;
    this.code = TASK_ERROR_CODES[reason];
    this.data = merged(details, { reason });
  }
}

export function taskError(
  reason: TaskErrorReason,
  message: string,
  details?: { readonly [detail: string]: unknown },
): TaskError {
  return new TaskError(reason, message, details);
}

export function unknownTask(): TaskError {
  return taskError('unknown_task', 'Unknown or expired task');
}

export function overLimit(limit: string, max: number, retryAfterMs: number): TaskError {
  return taskError('limit', `Limit ${limit} (${max}) reached; retry in ${retryAfterMs} ms`, {
    limit,
    max,
    retryAfterMs,
  });
}
