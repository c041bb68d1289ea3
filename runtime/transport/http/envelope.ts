import { META_KEYS } from '../../protocol/index.js';
import type { JsonObject } from '../../tasks/index.js';
import { at, isObject, member } from '../../wire/json.js';

/** What is wrong with a part of `_meta` that every request without a session carries. */
export interface EnvelopeFault {
  readonly key: string;
  readonly problem: string;
}

interface Part {
  readonly key: string;
  readonly isValid: (value: unknown) => boolean;
  readonly expected: string;
  readonly isOptional?: boolean;
}

/** Deeper faults are those of the params: the peer finds them. */
const PARTS: readonly Part[] = [
  { key: META_KEYS.protocolVersion, isValid: isText, expected: 'a string' },
  {
    key: META_KEYS.clientInfo,
    isValid: (value) => isText(member(value, 'name')) && isText(member(value, 'version')),
    expected: 'an object with a name and a version',
    isOptional: true,
  },
  { key: META_KEYS.clientCapabilities, isValid: isObject, expected: 'an object' },
  { key: META_KEYS.logLevel, isValid: isText, expected: 'a string', isOptional: true },
];

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/** `params._meta`. */
export function metaOf(message: JsonObject): JsonObject | undefined {
  const meta = at(message, ['params', '_meta']);
  return isObject(meta) ? meta : undefined;
}

/** The keys of those parts that are missing. */
export function missingParts(meta: JsonObject): string[] {
  return PARTS.filter(
    ({ key, isOptional }) => isOptional !== true && !Object.hasOwn(meta, key),
  ).map(({ key }) => key);
}

/** The first fault: one that is missing before one that is wrong. */
export function envelopeFault(meta: JsonObject): EnvelopeFault | undefined {
  for (const part of PARTS) {
    if (part.isOptional !== true && !Object.hasOwn(meta, part.key)) {
      return { key: part.key, problem: 'missing' };
    }
  }
  for (const part of PARTS) {
    if (Object.hasOwn(meta, part.key) && !part.isValid(meta[part.key])) {
      return { key: part.key, problem: `expected ${part.expected}` };
    }
  }
  return undefined;
}
