import { ProtocolError } from '../peer/index.js';
import { ERROR_CODES } from '../protocol.js';
import type { RpcError } from '../tasks/index.js';
import { printable } from './printable.js';
import { isFinal, statusOf } from './transport.js';
import { NotMcp } from './transports/errors.js';
import type { ToolResult } from './types.js';

/** Why a call failed. */
export type Failure =
  /** The tool ran and reported a failure. */
  | { readonly reason: 'tool_error'; readonly result: ToolResult }
  /** The server answered with a JSON-RPC error. */
  | { readonly reason: 'rpc_error'; readonly error: RpcError }
  | { readonly reason: 'cancelled' }
  /** The server has no task of this id any more. */
  | { readonly reason: 'expired' }
  /** The connection ended; the task may still be running. */
  | { readonly reason: 'lost' }
  | { readonly reason: 'timeout' }
  /** The server broke the protocol; the message says how. `result`: where only its `structuredContent` is wrong. */
  | { readonly reason: 'invalid_answer'; readonly result?: ToolResult }
  /** The client could not answer an input request; `cause` says why. */
  | { readonly reason: 'input_failed' }
  /** The string is not a reference, or belongs to the other dialect. */
  | { readonly reason: 'invalid_reference' };

/** The only error class of calls. `reference` is set while the task may be resumed. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly failure: Failure;
  readonly reference: string | undefined;

  constructor(
    failure: Failure,
    message: string,
    options: ErrorOptions & { readonly reference?: string | undefined } = {},
  ) {
    super(message, options);
    this.failure = failure;
    this.reference = options.reference;
  }

  get reason(): Failure['reason'] {
    return this.failure.reason;
  }
}

export function callError(
  reason: Exclude<Failure['reason'], 'tool_error' | 'rpc_error'>,
  message: string,
  cause?: unknown,
): CallError {
  return new CallError({ reason }, message, cause === undefined ? {} : { cause });
}

export function invalidAnswer(message: string, result?: ToolResult): CallError {
  return new CallError({ reason: 'invalid_answer', ...(result && { result }) }, message);
}

export function rpcFailure(
  { code, message, data }: Pick<RpcError, 'code' | 'message' | 'data'>,
  cause?: unknown,
): CallError {
  const error = { code, message, ...(data !== undefined && { data }) };
  const said = printable(message) || `The server answered with error ${code}, without a message`;
  return new CallError({ reason: 'rpc_error', error }, said, { cause });
}

/** The same failure with the task's reference, if such a task can be resumed. */
export function withReference(error: CallError, reference: string | undefined): CallError {
  if (reference === undefined || !RESUMABLE.has(error.reason)) return error;
  return new CallError(error.failure, error.message, { cause: error.cause, reference });
}

/** The same failure with another message. */
export function withMessage(error: CallError, message: string, reference?: string): CallError {
  return new CallError(error.failure, message, { cause: error.cause, reference });
}

const RESUMABLE: ReadonlySet<string> = new Set(['lost', 'timeout', 'invalid_answer', 'rpc_error']);

/** The cause of an error: the stream of the answer ended. Another request may succeed. */
export class LostStream extends Error {
  override readonly name = 'LostStream';
}

/** The cause of an error: there is no connection. */
export class Closed extends Error {
  override readonly name = 'ConnectionClosed';
}

/** An error of the peer or of a transport as a `CallError`. */
export function asCallError(error: unknown): CallError {
  if (error instanceof CallError) return error;
  if (error instanceof ProtocolError) return rpcFailure(error, error.cause ?? error);
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  // That of `fetch` says nothing by itself.
  const why = message === 'fetch failed' && cause instanceof Error ? `: ${cause.message}` : '';
  return callError(error instanceof NotMcp ? 'invalid_answer' : 'lost', message + why, error);
}

const TOO_MANY = 429;
const SERVER_ERROR = -32000;

/** Whether a retry on the same connection may succeed. */
export function isTransient(error: CallError): boolean {
  const { failure, cause } = error;
  switch (failure.reason) {
    case 'rpc_error':
      return [TOO_MANY, ERROR_CODES.InternalError, SERVER_ERROR].includes(failure.error.code);
    case 'timeout':
      return true;
    case 'lost':
      return !isClosed(cause);
    default:
      return false;
  }
}

/** HTTP statuses that allow a retry: request timeout, too early, too many requests. */
const RETRYABLE_STATUS: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether the connection cannot recover: it was closed or refused, or its session or login ended. */
function isClosed(cause: unknown): boolean {
  const status = statusOf(cause);
  if (status !== undefined) return status >= 400 && status < 500 && !RETRYABLE_STATUS.has(status);
  if (cause instanceof Closed) return true;
  return cause instanceof Error && (isFinal(cause) || cause.message === 'Not connected');
}

/** Whatever the server says, a client retries this often. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** Milliseconds that the server asked the client to wait before a retry, else 0. At most a minute. */
export function retryAfter({ failure }: CallError): number {
  if (failure.reason !== 'rpc_error') return 0;
  const data: unknown = failure.error.data;
  const ms =
    typeof data === 'object' && data !== null && 'retryAfterMs' in data && data.retryAfterMs;
  return typeof ms === 'number' && ms > 0 ? Math.min(ms, LONGEST_RETRY_AFTER_MS) : 0;
}
