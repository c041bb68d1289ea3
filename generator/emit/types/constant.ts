import type { JsonPrimitive, JsonValue } from '../../../json-schema/index.js';
import { key, quoted } from '../format/layout.js';

/** Characters of a string literal or a property's name; longer ones are not written in a type. */
const LONGEST = 1_000;

/** More positions than this are the items of a plain array. */
export const MOST_POSITIONS = 20;

/** A long text, and a number that JavaScript reads as infinite, are no literals. */
export function isLiteral(value: JsonPrimitive): boolean {
  if (typeof value === 'string') return value.length <= LONGEST;
  return typeof value !== 'number' || Number.isFinite(value);
}

/** No type has a property `__proto__`, because that is the prototype. */
export const isTypeableName = (name: string): boolean =>
  name !== '__proto__' && name.length <= LONGEST;

/**
 * The type of one value, or a wider one where a part of it has no literal type. It is written here, because an enum
 * may have 100,000 values, for which json-schema-to-typescript and Prettier take a tenth of a millisecond each.
 */
export function constantType(value: JsonValue): string {
  if (Array.isArray(value)) return arrayType(value.map(constantType));
  if (typeof value === 'object' && value !== null) return objectType(Object.entries(value));
  if (!isLiteral(value)) return typeof value;
  return typeof value === 'string' ? quoted(value) : String(value);
}

/** A union of types that are written already. */
export function unionType(types: readonly string[]): string {
  const [first = 'never', ...others] = new Set(types);
  // Babel takes a bracket after a negative number for its member, also in the next line.
  return others.length > 0 || first.startsWith('-') ? `(${[first, ...others].join(' | ')})` : first;
}

function arrayType(items: readonly string[]): string {
  return items.length > MOST_POSITIONS ? `${unionType(items)}[]` : `[${items.join(', ')}]`;
}

function objectType(entries: readonly (readonly [string, JsonValue])[]): string {
  const typed = entries.filter(([name]) => isTypeableName(name));
  if (typed.length > 0) {
    return `{ ${typed.map(([name, value]) => `${key(name)}: ${constantType(value)}`).join('; ')} }`;
  }
  return `{ [key: string]: ${entries.length > 0 ? 'unknown' : 'never'} }`;
}
