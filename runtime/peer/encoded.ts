import { ERROR_CODES } from '../protocol.js';
import { type JsonObject, messageOf } from '../tasks/index.js';
import type { InvalidMessage } from './wire/revision.js';

/**
 * The text of a message. Validators accept a BigInt or a cycle where the schema allows any value, and JSON has neither.
 */
export function encoded(
  message: JsonObject,
):
  | { readonly text: string; readonly problem?: undefined }
  | { readonly text?: undefined; readonly problem: InvalidMessage } {
  try {
    return { text: JSON.stringify(message) };
  } catch (error) {
    const text = `not JSON: ${messageOf(error)}`;
    return { problem: { code: ERROR_CODES.InternalError, message: text, faults: [] } };
  }
}
