import { isObject } from '../../../json-schema/json.js';
import { jsonPointer } from '../../../json-schema/pointer.js';
import { annotationKeywords, canonicalForm, itemRole, memberRole } from './fingerprint.js';
import type { Role } from './fingerprint.js';

/** A place at which two schemas accept different values. */
export interface StructuralDifference {
  /** The JSON pointer (RFC 6901) in both documents, or in the one that has the place. */
  readonly pointer: string;
  readonly kind: 'missing' | 'unexpected' | 'different';
  /** Canonical JSON; absent when the place is only in the other document. */
  readonly expected?: string;
  readonly found?: string;
}

/**
 * The differences of a schema from the expected one: each innermost place once, in the order of the
 * canonical form. Empty exactly when the structural fingerprints are equal.
 */
export function structuralDifferences(expected: unknown, found: unknown): StructuralDifference[] {
  const differences: StructuralDifference[] = [];
  compare(expected, found, 'schema', [], differences);
  return differences;
}

function compare(
  expected: unknown,
  found: unknown,
  role: Role,
  path: readonly (string | number)[],
  differences: StructuralDifference[],
): void {
  const [wanted, given] = [canonicalForm(expected, role), canonicalForm(found, role)];
  if (wanted === given) return;
  if (isObject(expected) && isObject(found)) {
    for (const key of keysOf(role, expected, found)) {
      const inner = [...path, key];
      const innerRole = memberRole(role, key);
      if (!Object.hasOwn(found, key)) {
        const wants = canonicalForm(expected[key], innerRole);
        differences.push({ pointer: jsonPointer(inner), kind: 'missing', expected: wants });
      } else if (!Object.hasOwn(expected, key)) {
        const has = canonicalForm(found[key], innerRole);
        differences.push({ pointer: jsonPointer(inner), kind: 'unexpected', found: has });
      } else {
        compare(expected[key], found[key], innerRole, inner, differences);
      }
    }
    return;
  }
  if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length) {
    if (role !== 'set') {
      expected.forEach((item, index) => {
        compare(item, found[index], itemRole(role), [...path, index], differences);
      });
      return;
    }
  }
  const pointer = jsonPointer(path);
  differences.push({ pointer, kind: 'different', expected: wanted, found: given });
}

function keysOf(role: Role, ...objects: readonly object[]): string[] {
  const keys = new Set(objects.flatMap((object) => Object.keys(object)));
  return [...keys].filter((key) => !(role === 'schema' && annotationKeywords.has(key))).sort();
}
