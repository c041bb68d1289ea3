import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';

import type { RpcError } from '../tasks/index.js';
import type { ToolResult } from './types.js';
import { LostStream } from './wire.js';

/** Why a call has no result. */
export type Failure =
  /** The tool ran and says that it failed. */
  | { readonly reason: 'tool_error'; readonly result: ToolResult }
  /** The server answered with a JSON-RPC error. */
  | { readonly reason: 'rpc_error'; readonly error: RpcError }
  | { readonly reason: 'cancelled' }
  /** The server does not know the task any more. */
  | { readonly reason: 'expired' }
  /** The connection is gone; the task may be running. */
  | { readonly reason: 'lost' }
  | { readonly reason: 'timeout' }
  /** The server broke the protocol; the message says how. */
  | { readonly reason: 'invalid_answer' }
  /** A question of the server could not be answered; `cause` says why. */
  | { readonly reason: 'input_failed' }
  /** Not a reference, or not one for this connection. */
  | { readonly reason: 'invalid_reference' };

/** The only error that calls reject with. `reference` is there while the task may be resumed by it. */
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

export function invalidAnswer(message: string): CallError {
  return callError('invalid_answer', message);
}

export function rpcFailure({ code, message, data }: RpcError, cause?: unknown): CallError {
  const error = { code, message, ...(data !== undefined && { data }) };
  return new CallError({ reason: 'rpc_error', error }, message, { cause });
}

/** The same failure, with the reference by which the task can be taken up again. */
export function withReference(error: CallError, reference: string | undefined): CallError {
  if (reference === undefined || !RESUMABLE.has(error.reason)) return error;
  return new CallError(error.failure, error.message, { cause: error.cause, reference });
}

/** The same failure in other words. */
export function withMessage(error: CallError, message: string, reference?: string): CallError {
  return new CallError(error.failure, message, { cause: error.cause, reference });
}

const RESUMABLE: ReadonlySet<string> = new Set(['lost', 'timeout', 'invalid_answer', 'rpc_error']);

/** What the SDK, or a transport, threw, as one of ours. */
export function asCallError(error: unknown): CallError {
  if (error instanceof CallError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ProtocolError) {
    if (error.data instanceof LostStream) return callError('lost', message, error);
    return rpcFailure(error, error);
  }
  if (error instanceof SdkError) {
    if (INVALID.has(error.code)) return callError('invalid_answer', message, error);
    if (error.code === SdkErrorCode.RequestTimeout) return callError('timeout', message, error);
  }
  return callError('lost', message, error);
}

const INVALID: ReadonlySet<string> = new Set([
  SdkErrorCode.InvalidResult,
  SdkErrorCode.UnsupportedResultType,
  SdkErrorCode.ListPaginationExceeded,
]);

const TOO_MANY = 429;
const INTERNAL_ERROR = -32603;
const SERVER_ERROR = -32000;

/** Whether the same request may well succeed later, on the same connection. */
export function isTransient(error: CallError): boolean {
  const { failure, cause } = error;
  switch (failure.reason) {
    case 'rpc_error':
      return [TOO_MANY, INTERNAL_ERROR, SERVER_ERROR].includes(failure.error.code);
    case 'timeout':
      return true;
    case 'lost':
      return !isGone(cause);
    default:
      return false;
  }
}

/** HTTP: request time-out, too early, too many requests. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether the connection itself is gone, with no way back: closed, refused, or its session ended. */
function isGone(cause: unknown): boolean {
  if (cause instanceof SdkHttpError) {
    const { status } = cause.data;
    return status >= 400 && status < 500 && !PASSING.has(status);
  }
  if (cause instanceof SdkError) return true;
  return cause instanceof Error && cause.message === 'Not connected';
}

/** Milliseconds after which a server that refused for now wants to be asked again. */
export function retryAfter({ failure }: CallError): number {
  if (failure.reason !== 'rpc_error') return 0;
  const data: unknown = failure.error.data;
  const ms =
    typeof data === 'object' && data !== null && 'retryAfterMs' in data && data.retryAfterMs;
  return typeof ms === 'number' && ms > 0 ? ms : 0;
}
