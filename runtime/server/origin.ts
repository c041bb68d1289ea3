import { META_KEYS } from '../protocol/index.js';
import type { Exchange, Rows } from '../peer/index.js';
import { isObject, member } from '../wire/json.js';
import type { JsonObject } from '../tasks/index.js';
import type { ServerOrigin } from './session.js';

export type { ServerOrigin } from './session.js';
/** A request to a server, until its answer. */
export type ServerExchange = Exchange<ServerOrigin>;
export type ServerRows = Rows<ServerOrigin>;

/** What the client declares that it can do: in the handshake of its session, else with each request. */
export function clientCapabilitiesOf({ origin, meta }: ServerExchange): JsonObject {
  const { session } = origin;
  if (session !== undefined) return session.clientCapabilities;
  const declared = member(meta, META_KEYS.clientCapabilities);
  return isObject(declared) ? declared : {};
}
