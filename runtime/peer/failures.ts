import { ERROR_CODES } from '../protocol.js';
import type { JsonObject } from '../tasks/index.js';
import { encoded } from './encoded.js';
import { rpcError } from './errors.js';
import { LONGEST_ID, type RequestId } from './exchange.js';

/** A message with its text. */
export interface Outgoing {
  readonly message: JsonObject;
  readonly text: string;
}

export const INVALID_MESSAGE = rpcError(
  ERROR_CODES.InvalidRequest,
  'The message is not valid JSON-RPC',
);
export const TOO_LONG_ID = rpcError(
  ERROR_CODES.InvalidRequest,
  `The id has more than ${LONGEST_ID} characters`,
);
export const TOO_LONG_TOKEN = rpcError(
  ERROR_CODES.InvalidParams,
  `progressToken must have at most ${LONGEST_ID} characters`,
);
export const METHOD_NOT_FOUND = rpcError(ERROR_CODES.MethodNotFound, 'Method not found');

/** The answer with an error, without its data where these are no JSON. */
export function failure(
  id: { readonly id?: RequestId | null },
  error: JsonObject,
  onProblem: (error: Error) => void,
): Outgoing {
  const message = { jsonrpc: '2.0', ...id, error };
  const { text, problem } = encoded(message);
  if (text !== undefined) return { message, text };
  const { code, message: what } = error;
  const plain = { jsonrpc: '2.0', ...id, error: { code, message: what } };
  onProblem(new Error(`Dropped the data of an error: ${problem.message}`));
  return { message: plain, text: JSON.stringify(plain) };
}
