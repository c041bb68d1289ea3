import { EXTENSION_ID } from '../../protocol/index.js';
import { at, isObject } from '../../wire/json.js';

/** Whether capabilities declare the tasks extension. Those of other requests of the client do not count. */
export function declaresTasks(capabilities: unknown): boolean {
  return isObject(at(capabilities, ['extensions', EXTENSION_ID]));
}
