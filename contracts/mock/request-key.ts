import { jsonPointer } from '../../json-schema/pointer.js';
import { fingerprint } from '../validate/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { isObject, member } from '../../runtime/peer/wire/json.js';
import { isLikeMasked, isMaskedText, isMaskedValue } from './masks.js';

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
function matchedPart({ method, params }: RecordedRequest): readonly [string, object, unknown] {
  const own = Object.entries(params).filter(([name]) => !OWN.has(name));
  const responses = member(params, 'inputResponses');
  const answered = isObject(responses) ? Object.keys(responses).sort() : [];
  return [method, Object.fromEntries(own), answered];
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

/** Values of one request that are compared for an error. */
const MOST_VALUES = 1_000;

/** The places at which the params of a request differ from recorded ones, as JSON pointers. */
export function differencesOf(recorded: RecordedRequest, asked: RecordedRequest): string[] {
  const [, own] = matchedPart(asked);
  const found: string[] = [];
  for (const path of differing(matchedPart(recorded)[1], own, MOST_VALUES)) {
    const keys: string[] = [];
    for (let at: Path = path; at !== undefined; at = at.before) keys.unshift(at.key);
    found.push(jsonPointer(keys));
  }
  return found;
}

/**
 * Whether a value equals a recorded one, in whatever order their objects have keys. A masked part of a text matches any
 * text, and a masked value any value.
 */
export function isLike(recorded: unknown, value: unknown): boolean {
  return differing(recorded, value, Infinity).next().done === true;
}

type Path = { readonly key: string; readonly before: Path } | undefined;

/** The places of up to `most` values that differ. It does not recurse, because values may be nested deeply. */
function* differing(recorded: unknown, value: unknown, most: number): Generator<Path, void> {
  const pending: [unknown, unknown, Path][] = [[recorded, value, undefined]];
  for (let seen = 0; seen < most; seen += 1) {
    const next = pending.pop();
    if (next === undefined) return;
    const [a, b, before] = next;
    if (a === b || (typeof a === 'string' && isLikeMasked(a, b))) continue;
    if (!isContainer(a) || !isContainer(b) || Array.isArray(a) !== Array.isArray(b)) {
      yield before;
      continue;
    }
    for (const key of Object.keys(a)) {
      const path = { key, before };
      if (!Object.hasOwn(b, key)) yield path;
      else if (!isMaskedValue(key, a[key])) pending.push([a[key], b[key], path]);
    }
    for (const key of Object.keys(b)) if (!Object.hasOwn(a, key)) yield { key, before };
  }
}

function isContainer(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

/** Whether a value contains a secret that was masked. */
export function hasMask(value: unknown): boolean {
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string' && isMaskedText(next)) return true;
    if (!isContainer(next)) continue;
    for (const [key, each] of Object.entries(next)) {
      if (isMaskedValue(key, each)) return true;
      pending.push(each);
    }
  }
  return false;
}
