import { DIALECT_VERSIONS, ERROR_CODES } from '../protocol.js';
import type { JsonObject } from '../tasks/index.js';

/** An error that answers a request with this code, message and data. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export function rpcError(code: number, message: string, data?: unknown): ProtocolError {
  return new ProtocolError(code, message, data);
}

/** The reason of every signal that a closed connection aborts. */
export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed';
  override readonly message = 'The connection has closed';
}

/** For `LazyAbort`: few read why. */
export function connectionClosed(): ConnectionClosed {
  return new ConnectionClosed();
}

/** The member `error` of the answer for what a handler threw. */
export function errorOf(thrown: unknown): JsonObject & { readonly code: number } {
  const { code, message, data } = (thrown ?? {}) as Partial<ProtocolError>;
  return {
    code: Number.isSafeInteger(code) ? (code as number) : ERROR_CODES.InternalError,
    message: message ?? 'Internal error',
    ...(data !== undefined && { data }),
  };
}

/**
 * What stands for the id in the answer to a message whose id cannot be read: nothing, and null in the revisions before
 * 2025-11-25, which leave it to JSON-RPC.
 */
export function withoutId(version: string | undefined): { readonly id?: null } {
  return version !== undefined && version < DIALECT_VERSIONS.core ? { id: null } : {};
}
