import { ERROR_CODES } from '../protocol.js';
import { type JsonObject, jsonOf } from '../tasks/index.js';
import { rpcError } from './errors.js';
import { LONGEST_ID, type RequestId } from './exchange.js';
import type { InvalidMessage } from './wire/revision.js';

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

/**
 * The text of a message. Validators accept a BigInt or a cycle where the schema allows any value, and JSON has neither.
 */
export function encoded(
  message: JsonObject,
):
  | { readonly text: string; readonly problem?: undefined }
  | { readonly text?: undefined; readonly problem: InvalidMessage } {
  const { text, problem } = jsonOf(message);
  if (text !== undefined) return { text };
  // Without the member of the message that has it: `result`, `params` or `error`.
  const detail = problem.replace(/^\/\w+(?=\/)/, '');
  const [pointer = ''] = /^\/\S*/.exec(detail) ?? [];
  const fault = { pointer, expected: 'JSON', message: `not JSON: ${detail}` };
  return {
    problem: { code: ERROR_CODES.InternalError, message: fault.message, faults: [fault] },
  };
}
