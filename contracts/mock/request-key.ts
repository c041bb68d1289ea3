import { fingerprint } from '../validate/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { isObject, member } from '../../runtime/peer/wire/json.js';
import { isMaskedText, isMaskedValue, partsOfMasked } from './masks.js';

/** A request, as far as its answer depends on it. */
export interface RecordedRequest {
  readonly method: string;
  readonly params: JsonObject;
}

/** Params that the client chooses for itself, and not for the server's answer. */
const OWN = new Set(['_meta', 'task', 'inputResponses']);

/**
 * What two requests with one answer have in common: their method and params. Not their progress tokens and other
 * metadata, not whether a task is wanted, and of the answers to questions only which questions they answer.
 */
export function matchedPart({ method, params }: RecordedRequest): unknown {
  const own = Object.entries(params).filter(([name]) => !OWN.has(name));
  return [method, Object.fromEntries(own), answeredIn(params)];
}

function answeredIn(params: JsonObject): readonly string[] {
  const responses = member(params, 'inputResponses');
  return isObject(responses) ? Object.keys(responses).sort() : [];
}

/** Equal requests have one key. Requests with one key may differ: compare them. */
export function keyOf(asked: RecordedRequest): number {
  return fingerprint(matchedPart(asked));
}

/** The key of requests that contain masked values, which match any others. */
export function maskedKeyOf({ method }: RecordedRequest): number {
  return fingerprint(['masked', method]);
}

/** Whether a request matches a recorded one. */
export function matches(recorded: RecordedRequest, asked: RecordedRequest): boolean {
  return recorded.method === asked.method && isLike(matchedPart(recorded), matchedPart(asked));
}

/**
 * Whether a value equals a recorded one, in whatever order their objects have keys. A masked part of a text matches any
 * text, and a masked value any value. It does not recurse, because values may be nested deeply.
 */
export function isLike(recorded: unknown, value: unknown): boolean {
  const pending: [unknown, unknown][] = [[recorded, value]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [a, b] = next;
    if (a === b) continue;
    if (typeof a === 'string' && typeof b === 'string' && isLikeMasked(a, b)) continue;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      if (isMaskedValue(key, (a as JsonObject)[key])) continue;
      pending.push([(a as JsonObject)[key], (b as JsonObject)[key]]);
    }
  }
  return true;
}

/** Whether a text is a recorded one with something in place of each mask. Each part is searched once. */
function isLikeMasked(recorded: string, text: string): boolean {
  const [first = '', ...others] = partsOfMasked(recorded);
  const last = others.pop();
  if (last === undefined || text.length < first.length + last.length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let from = first.length;
  for (const part of others) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= text.length - last.length;
}

/** Whether a value contains a secret that was masked. */
export function hasMask(value: unknown): boolean {
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string' && isMaskedText(next)) return true;
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, each] of Object.entries(next) as [string, unknown][]) {
      if (isMaskedValue(key, each)) return true;
      pending.push(each);
    }
  }
  return false;
}
