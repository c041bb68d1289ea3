import { ERROR_CODES } from '../protocol.js';
import { type JsonObject, jsonOf } from '../tasks/index.js';
import type { InvalidMessage } from './wire/revision.js';

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
