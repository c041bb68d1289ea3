import { META_KEYS, METHODS } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { isObject, member } from '../../runtime/peer/wire/json.js';
import type { Lock } from '../lock/index.js';
import type { Model } from './model.js';

/** What a server says of itself. */
export interface Facts {
  readonly serverInfo: JsonObject;
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
}

/** Where neither the recording nor a lock names the server. */
export const UNNAMED = { name: 'recorded-server', version: '0.0.0' };

/** What a server declares that answers these methods. What is listed declares itself. */
const CAPABILITY_OF: readonly (readonly [string, string])[] = [
  [METHODS.completionComplete, 'completions'],
  [METHODS.loggingSetLevel, 'logging'],
];

/** From a handshake or `server/discover`, else from the lock, else from what the server answered. */
export function factsOf(model: Model | undefined, lock: Lock | undefined): Facts {
  const exchange = model?.handshakes[0]?.exchange ?? model?.discoveries[0];
  const said = exchange === undefined ? undefined : model?.answerOf(exchange)?.sent['result'];
  if (isObject(said)) {
    const info = said['serverInfo'] ?? member(said['_meta'], META_KEYS.serverInfo);
    return {
      serverInfo: isObject(info) ? info : (lock?.server ?? UNNAMED),
      capabilities: isObject(said['capabilities']) ? said['capabilities'] : {},
      instructions: textIn(said['instructions']),
    };
  }
  return {
    serverInfo: lock?.server ?? UNNAMED,
    capabilities: lock?.capabilities ?? usedIn(model),
    instructions: lock?.instructions,
  };
}

function usedIn(model: Model | undefined): JsonObject {
  const used = CAPABILITY_OF.filter(([method]) => model?.samples.has(method));
  return Object.fromEntries(used.map(([, capability]) => [capability, {}]));
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
