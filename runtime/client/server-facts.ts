import { META_KEYS } from '../protocol.js';
import type { JsonObject } from '../tasks/index.js';
import { at, isObject } from '../peer/wire/json.js';

/** The server, as it presents itself. Empty before the client connects. */
export interface ServerFacts {
  readonly info?: { readonly name: string; readonly version: string; readonly title?: string };
  readonly capabilities: JsonObject;
  readonly instructions?: string;
}

/** What a server says of itself, in `initialize` or `server/discover`. */
export function factsOf(server: JsonObject): ServerFacts {
  const { capabilities, instructions } = server;
  const info = server['serverInfo'] ?? at(server, ['_meta', META_KEYS.serverInfo]);
  return {
    capabilities: isObject(capabilities) ? capabilities : {},
    ...(isObject(info) && { info: info as unknown as NonNullable<ServerFacts['info']> }),
    ...(typeof instructions === 'string' && { instructions }),
  };
}
