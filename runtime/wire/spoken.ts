/**
 * The SDK knows one revision of the dialect `ext`. A request of another one is given to it as a request of that one, and
 * remembered here with the revision that its client speaks, in which it and its answer are checked.
 */

import { DIALECT_VERSIONS, META_KEYS, REVISIONS, type RevisionVersion } from '../protocol/index.js';
import type { JsonObject } from '../tasks/index.js';
import { at, isObject } from './json.js';

const SPOKEN = new WeakMap<object, RevisionVersion>();

/** The revision of a message or HTTP request that was given to the SDK as one of another revision. */
export function spokenBy(given: object | undefined): RevisionVersion | undefined {
  return given && SPOKEN.get(given);
}

/** Remembers the revision of a message or of its HTTP request. */
export function remember<T extends object>(given: T, version: RevisionVersion): T {
  SPOKEN.set(given, version);
  return given;
}

/** The version that a message without a session names. */
export function claimedIn(message: unknown): unknown {
  return at(message, ['params', '_meta', META_KEYS.protocolVersion]);
}

/** The revisions without sessions among these. */
export function statelessOf(versions: readonly string[]): RevisionVersion[] {
  const all = Object.keys(REVISIONS) as RevisionVersion[];
  return all.filter((each) => REVISIONS[each].dialect === 'ext' && versions.includes(each));
}

/** The version of a message, where it is one of those offered that the SDK does not know. */
export function unknownToSdk(
  message: unknown,
  offered: readonly string[],
): RevisionVersion | undefined {
  if (!isObject(message)) return undefined;
  const claimed = claimedIn(message);
  if (claimed === undefined || claimed === DIALECT_VERSIONS.ext) return undefined;
  return statelessOf(offered).find((each) => each === claimed);
}

/** The same message in the revision that the SDK knows. */
export function asKnownToSdk(message: JsonObject, version: RevisionVersion): JsonObject {
  const params = message['params'] as JsonObject;
  const meta = params['_meta'] as JsonObject;
  const known = { ...meta, [META_KEYS.protocolVersion]: DIALECT_VERSIONS.ext };
  return remember({ ...message, params: { ...params, _meta: known } }, version);
}
