import { EXTENSION_ID, META_KEYS } from '../../runtime/protocol.js';
import type { Dialect, JsonObject } from '../../runtime/tasks/index.js';
import { at, isObject, member } from '../../runtime/peer/wire/json.js';
import type { Asked, Backing, Cursors } from './session.js';

/** A request of a client, with what answers it. */
export interface Call extends Asked {
  readonly cursors: Cursors;
  readonly behind: Backing;
}

export function dialectOf({ exchange }: Call): Dialect {
  return exchange.revision.dialect;
}

function capabilitiesOf({ exchange }: Call): JsonObject {
  const { session } = exchange.origin;
  const declared =
    session?.clientCapabilities ?? member(exchange.meta, META_KEYS.clientCapabilities);
  return isObject(declared) ? declared : {};
}

/** Whether a client takes a task for an answer. */
export function takesTask(call: Call): boolean {
  if (dialectOf(call) === 'core') return isObject(call.params['task']);
  return at(capabilitiesOf(call), ['extensions', EXTENSION_ID]) !== undefined;
}
