import { METHODS } from '../../protocol/index.js';
import type { Dialect, JsonObject } from '../../tasks/index.js';
import { isObject, member } from '../../wire/json.js';
import type { Answer } from '../sdk/index.js';
import type { Accepted } from './accepted.js';

/** A request whose answer the door takes from the SDK's, when `learn` was set. */
export interface Learning {
  learn?: (response: Response) => Promise<void>;
}

const SAME_FOR_ALL: ReadonlySet<string> = new Set([METHODS.serverDiscover, METHODS.toolsList]);

/**
 * The answers that are the same for every client of a server without `setup`. The SDK gives the first one, so that
 * the door does not state what a server declares a second time.
 */
export function createLearned(hasSetup: boolean) {
  const results = new Map<string, JsonObject>();

  /** The known answer. Otherwise the request is marked, so that the SDK's answer becomes known. */
  return (dialect: Dialect, accepted: Accepted, asked: Learning): Answer | undefined => {
    const { method, params } = accepted;
    if (hasSetup || !SAME_FOR_ALL.has(method)) return undefined;
    if (Object.keys(params).some((name) => name !== '_meta')) return undefined;
    const key = `${dialect} ${method}`;
    const known = results.get(key);
    if (known !== undefined) return () => Promise.resolve(known);
    asked.learn = async (response) => {
      const result = await resultOf(response);
      if (result !== undefined) results.set(key, result);
    };
    return undefined;
  };
}

async function resultOf(response: Response): Promise<JsonObject | undefined> {
  const type = response.headers.get('content-type');
  if (response.status !== 200 || type?.startsWith('application/json') !== true) return undefined;
  const result = member(await response.clone().json(), 'result');
  return isObject(result) ? result : undefined;
}
