import { META_KEYS } from '../protocol/index.js';
import { at } from './json.js';

/** The version that a message without a session names. */
export function claimedIn(message: unknown): unknown {
  return at(message, ['params', '_meta', META_KEYS.protocolVersion]);
}
