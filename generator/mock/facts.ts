import { METHODS } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { isObject } from '../../runtime/peer/wire/json.js';
import type { Lock } from '../contracts/lock/index.js';
import { serverIn } from './dialects.js';
import type { Model } from './model.js';

/** What a server says of itself. */
export interface Facts {
  readonly revision: string | undefined;
  readonly serverInfo: JsonObject;
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
}

/** Where neither the recording nor a lock names the server. */
export const UNNAMED = { name: 'recorded-server', version: '0.0.0' };

/** The capability that a server declares when it answers a method. */
const CAPABILITY_OF: readonly (readonly [string, string])[] = [
  [METHODS.toolsList, 'tools'],
  [METHODS.toolsCall, 'tools'],
  [METHODS.promptsList, 'prompts'],
  [METHODS.promptsGet, 'prompts'],
  [METHODS.resourcesList, 'resources'],
  [METHODS.resourcesRead, 'resources'],
  [METHODS.completionComplete, 'completions'],
  [METHODS.loggingSetLevel, 'logging'],
];

/** From a handshake or `server/discover`, else from the lock, else from what the server answered. */
export function factsOf(model: Model | undefined, lock: Lock | undefined): Facts {
  const [handshake] = model?.handshakes ?? [];
  const exchange = handshake?.exchange ?? model?.discoveries[0];
  const said = exchange === undefined ? undefined : model?.answerOf(exchange)?.sent['result'];
  if (isObject(said) && exchange !== undefined) {
    const info = said['serverInfo'] ?? serverIn(said);
    return {
      revision: handshake?.settled ?? model?.revisionOf(exchange),
      serverInfo: isObject(info) ? info : (lock?.server ?? UNNAMED),
      capabilities: isObject(said['capabilities']) ? said['capabilities'] : {},
      instructions: textIn(said['instructions']),
    };
  }
  return {
    revision: lock?.revision ?? model?.revisions[0],
    serverInfo: lock?.server ?? UNNAMED,
    capabilities: lock?.capabilities ?? usedIn(model),
    instructions: lock?.instructions,
  };
}

function usedIn(model: Model | undefined): JsonObject {
  const names = [...(model?.samples.keys() ?? [])];
  const used = CAPABILITY_OF.filter(([method]) =>
    names.some((name) => name === method || name.startsWith(`${method} `)),
  );
  return Object.fromEntries(used.map(([, capability]) => [capability, {}]));
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
