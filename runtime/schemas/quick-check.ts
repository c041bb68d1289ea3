import { isObject } from '../peer/wire/json.js';
import { formatCheck } from './json-validator.js';

/** Whether a value matches a schema. */
export type QuickCheck = (value: unknown) => boolean;

type Keywords = Readonly<Record<string, unknown>>;
/** Makes the check of a keyword; `undefined` where its form is not one of those that are handled here. */
type Maker = (stated: unknown, schema: Keywords) => QuickCheck | undefined;

/**
 * The check of a schema that has only plain keywords: most tools have such. It takes a fraction of the time of the library,
 * and time that is linear in the value, because each part of a value is compared with one schema.
 *
 * @returns `undefined` for a schema with any other keyword. Then the library checks all of it.
 */
export function quickCheck(schema: unknown): QuickCheck | undefined {
  if (typeof schema === 'boolean') return () => schema;
  if (!isObject(schema)) return undefined;
  const checks: QuickCheck[] = [];
  for (const [keyword, stated] of Object.entries(schema)) {
    if (WITHOUT_CHECK.has(keyword)) continue;
    const make = MAKERS.get(keyword);
    const check = make?.(stated, schema);
    if (check === undefined) return undefined;
    checks.push(check);
  }
  return all(checks);
}

const WITHOUT_CHECK: ReadonlySet<string> = new Set([
  ...['$schema', 'title', 'description', 'default', 'examples', '$comment'],
  ...['deprecated', 'readOnly', 'writeOnly'],
]);

const MAKERS: ReadonlyMap<string, Maker> = new Map<string, Maker>([
  ['type', typeCheck],
  ['enum', (stated) => (Array.isArray(stated) ? oneOfThese(stated) : undefined)],
  ['const', (stated) => oneOfThese([stated])],
  ['properties', (stated, schema) => propertiesCheck(stated, schema['additionalProperties'])],
  [
    'additionalProperties',
    (stated, schema) => ('properties' in schema ? accept : propertiesCheck({}, stated)),
  ],
  ['required', requiredCheck],
  ['items', itemsCheck],
  ['minimum', bound((value, limit) => value >= limit)],
  ['maximum', bound((value, limit) => value <= limit)],
  ['exclusiveMinimum', bound((value, limit) => value > limit)],
  ['exclusiveMaximum', bound((value, limit) => value < limit)],
  ['minLength', lengthCheck('string', (length, limit) => length >= limit)],
  ['maxLength', lengthCheck('string', (length, limit) => length <= limit)],
  ['pattern', patternCheck],
  ['format', textFormatCheck],
  ['minItems', lengthCheck('array', (length, limit) => length >= limit)],
  ['maxItems', lengthCheck('array', (length, limit) => length <= limit)],
]);

const TYPES: ReadonlyMap<unknown, QuickCheck> = new Map<unknown, QuickCheck>([
  ['string', (value) => typeof value === 'string'],
  ['number', (value) => typeof value === 'number'],
  ['integer', (value) => typeof value === 'number' && Number.isInteger(value)],
  ['boolean', (value) => typeof value === 'boolean'],
  ['null', (value) => value === null],
  ['array', (value) => Array.isArray(value)],
  ['object', isObject],
]);

function accept(): boolean {
  return true;
}

function all(checks: readonly QuickCheck[]): QuickCheck {
  const [first = accept, second, ...others] = checks;
  if (second === undefined) return first;
  if (others.length === 0) return (value) => first(value) && second(value);
  return (value) => {
    for (const check of checks) if (!check(value)) return false;
    return true;
  };
}

function typeCheck(stated: unknown): QuickCheck | undefined {
  if (!Array.isArray(stated)) return TYPES.get(stated);
  // A name that repeats would repeat its check.
  const checks = [...new Set<unknown>(stated)].map((type) => TYPES.get(type));
  if (!checks.every((check) => check !== undefined)) return undefined;
  return (value) => checks.some((check) => check(value));
}

/** Objects and arrays among the values would need a comparison of their parts. */
function oneOfThese(values: readonly unknown[]): QuickCheck | undefined {
  if (values.some((value) => typeof value === 'object' && value !== null)) return undefined;
  const set = new Set(values);
  return (value) => set.has(value);
}

function requiredCheck(stated: unknown): QuickCheck | undefined {
  if (!Array.isArray(stated) || !stated.every((name) => typeof name === 'string')) return undefined;
  const names: readonly string[] = stated;
  return (value) => {
    if (!isObject(value)) return true;
    for (const name of names) if (!Object.hasOwn(value, name)) return false;
    return true;
  };
}

function propertiesCheck(stated: unknown, more: unknown): QuickCheck | undefined {
  if (!isObject(stated)) return undefined;
  const others = more === undefined ? accept : quickCheck(more);
  const named = new Map<string, QuickCheck>();
  for (const [name, schema] of Object.entries(stated)) {
    const check = quickCheck(schema);
    if (check === undefined) return undefined;
    named.set(name, check);
  }
  if (others === undefined) return undefined;
  return (value) => {
    if (!isObject(value)) return true;
    for (const name of Object.keys(value)) {
      const check = named.get(name) ?? others;
      if (!check(value[name])) return false;
    }
    return true;
  };
}

function itemsCheck(stated: unknown): QuickCheck | undefined {
  const check = quickCheck(stated);
  return check && ((value) => !Array.isArray(value) || value.every(check));
}

function bound(holds: (value: number, limit: number) => boolean): Maker {
  return (limit) =>
    typeof limit === 'number'
      ? (value) => typeof value !== 'number' || holds(value, limit)
      : undefined;
}

/** As the library matches it. */
function patternCheck(stated: unknown): QuickCheck | undefined {
  if (typeof stated !== 'string') return undefined;
  const pattern = new RegExp(stated, 'u');
  return (value) => typeof value !== 'string' || pattern.test(value);
}

function textFormatCheck(stated: unknown): QuickCheck | undefined {
  const matches = formatCheck(stated);
  return matches && ((value) => typeof value !== 'string' || matches(value));
}

function lengthCheck(
  type: 'string' | 'array',
  holds: (length: number, limit: number) => boolean,
): Maker {
  return (limit) => {
    if (typeof limit !== 'number') return undefined;
    if (type === 'array') return (value) => !Array.isArray(value) || holds(value.length, limit);
    return (value) => typeof value !== 'string' || holds(characters(value), limit);
  };
}

/** Characters of Unicode, of which JavaScript counts some as two. */
function characters(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i += 1) {
    const isPair = (text.charCodeAt(i) & 0xfc00) === 0xdc00;
    if (isPair && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) count -= 1;
  }
  return count;
}
