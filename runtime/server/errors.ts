import { ERROR_CODES, EXTENSION_ID } from '../protocol.js';
import { TASKS_EXTENSION } from '../rules/messages.js';
import { type ProtocolError, rpcError } from '../peer/index.js';
import type { JsonObject, RpcError } from '../tasks/index.js';

export { messageOf } from '../tasks/index.js';
export { rpcError } from '../peer/index.js';

export const {
  InvalidRequest: INVALID_REQUEST,
  MethodNotFound: METHOD_NOT_FOUND,
  InvalidParams: INVALID_PARAMS,
  InternalError: INTERNAL_ERROR,
  MissingRequiredClientCapability: MISSING_CAPABILITY,
  UnsupportedProtocolVersion: UNSUPPORTED_VERSION,
} = ERROR_CODES;

/** Throws what an operation was answered with, unchanged. */
export function replay({ code, message, data }: RpcError): never {
  throw rpcError(code, message, data);
}

/** Tells a client what it has to declare before it may ask for this. */
export function missingCapability(requiredCapabilities: JsonObject, what: string): ProtocolError {
  return rpcError(MISSING_CAPABILITY, what, { requiredCapabilities });
}

const RETRY_AFTER_MS = 1_000;

/** Refuses what comes while the server stops, and answers what it cannot wait for. */
export const SHUTTING_DOWN = rpcError(
  INTERNAL_ERROR,
  `The server is shutting down; retry in ${RETRY_AFTER_MS} ms`,
  { reason: 'closed', retryAfterMs: RETRY_AFTER_MS },
);

export function tasksNotDeclared(): ProtocolError {
  return missingCapability(TASKS_EXTENSION, `The client has to declare ${EXTENSION_ID}`);
}

/**
 * Throws `-32602` for a value of a client that is kept for long and is too large for that. Counts characters of JSON: the
 * objects take several times as much memory.
 */
export function assertShort(what: string, value: unknown, most: number): void {
  const { length } = JSON.stringify(value);
  if (length <= most) return;
  throw rpcError(INVALID_PARAMS, `${what} have ${length} characters, limit ${most}`);
}
