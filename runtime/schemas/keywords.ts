import { isObject } from '../peer/wire/json.js';
import { SchemaFault } from './fault.js';
import { pointerPart, targetOf } from './pointers.js';

/** What the value of a keyword has to be, by the metaschemas of draft-07 to 2020-12. Other keywords may have any value. */
interface Grammar {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
  /** The schemas in the value. Called with any value. */
  readonly schemas?: (value: unknown) => readonly Part[];
}

/** A schema, and the member of a keyword's value that it is. Undefined when the value itself is the schema. */
type Part = readonly [member: string | number | undefined, schema: unknown];

const isSchema = (value: unknown): boolean => typeof value === 'boolean' || isObject(value);
const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');
const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
const isType = (value: unknown): boolean => TYPES.includes(value as string);

const SCHEMA: Grammar = {
  expected: 'a schema',
  accepts: isSchema,
  schemas: (schema) => [[undefined, schema]],
};
const SCHEMAS: Grammar = {
  expected: 'a list of schemas that is not empty',
  accepts: (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema),
  schemas: (list) => (Array.isArray(list) ? [...list.entries()] : []),
};
const BY_NAME: Grammar = {
  expected: 'an object of schemas',
  accepts: (value) => isObject(value) && Object.values(value).every(isSchema),
  schemas: (members) => (isObject(members) ? Object.entries(members) : []),
};
const TEXT: Grammar = { expected: 'a text', accepts: (value) => typeof value === 'string' };
const NUMBER: Grammar = { expected: 'a number', accepts: Number.isFinite };
const COUNT: Grammar = {
  expected: 'a whole number of 0 or more',
  accepts: (value) => Number.isInteger(value) && (value as number) >= 0,
};
const FLAG: Grammar = {
  expected: 'true or false',
  accepts: (value) => typeof value === 'boolean',
};

/** Clients compile patterns with the flag, and refuse the whole tool. */
const REGULAR_EXPRESSION =
  'a regular expression that is valid with the flag u: write - for \\-, _ for \\_, and [\\w.-] for [\\w-.]';

const GRAMMAR: Readonly<Record<string, Grammar>> = {
  ...{ additionalProperties: SCHEMA, contains: SCHEMA, contentSchema: SCHEMA, else: SCHEMA },
  ...{ if: SCHEMA, not: SCHEMA, propertyNames: SCHEMA, then: SCHEMA },
  ...{ additionalItems: SCHEMA, unevaluatedItems: SCHEMA, unevaluatedProperties: SCHEMA },
  ...{ allOf: SCHEMAS, anyOf: SCHEMAS, oneOf: SCHEMAS, prefixItems: SCHEMAS },
  ...{ $defs: BY_NAME, definitions: BY_NAME, dependentSchemas: BY_NAME, properties: BY_NAME },
  ...{ $id: TEXT, $schema: TEXT, $anchor: TEXT, $dynamicAnchor: TEXT, $ref: TEXT },
  ...{ $dynamicRef: TEXT, description: TEXT, format: TEXT, title: TEXT },
  ...{ exclusiveMaximum: NUMBER, exclusiveMinimum: NUMBER, maximum: NUMBER, minimum: NUMBER },
  ...{ maxContains: COUNT, maxItems: COUNT, maxLength: COUNT, maxProperties: COUNT },
  ...{ minContains: COUNT, minItems: COUNT, minLength: COUNT, minProperties: COUNT },
  uniqueItems: FLAG,
  items: {
    expected: 'a schema, or a list of schemas',
    accepts: (value) => isSchema(value) || (Array.isArray(value) && value.every(isSchema)),
    schemas: (value) => (Array.isArray(value) ? [...value.entries()] : [[undefined, value]]),
  },
  dependencies: {
    expected: 'an object of schemas and lists of names',
    accepts: (value) =>
      isObject(value) && Object.values(value).every((each) => isSchema(each) || isTexts(each)),
    schemas: (members) =>
      isObject(members) ? Object.entries(members).filter(([, each]) => isSchema(each)) : [],
  },
  patternProperties: {
    ...BY_NAME,
    expected: `an object of schemas, each by ${REGULAR_EXPRESSION}`,
    accepts: (value) => BY_NAME.accepts(value) && Object.keys(value as object).every(isPattern),
  },
  pattern: { expected: REGULAR_EXPRESSION, accepts: isPattern },
  multipleOf: {
    expected: 'a number above 0',
    accepts: (value) => Number.isFinite(value) && (value as number) > 0,
  },
  type: {
    expected: `one of ${TYPES.join(', ')}, or a list of these`,
    accepts: (value) =>
      isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
  },
  enum: { expected: 'a list of values', accepts: Array.isArray },
  required: { expected: 'a list of names', accepts: isTexts },
  dependentRequired: {
    expected: 'an object of lists of names',
    accepts: (value) => isObject(value) && Object.values(value).every(isTexts),
  },
};

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    return new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

export function isKeyword(name: string): boolean {
  return Object.hasOwn(GRAMMAR, name) || name === 'const' || name === 'default';
}

/** Schemas directly in a schema, with their places in it. */
export function partsOf(schema: Record<string, unknown>): [place: string, part: unknown][] {
  return Object.entries(schema).flatMap(([keyword, value]) =>
    schemasAt(keyword, value).map(([member, part]): [string, unknown] => [
      pointerPart(keyword) + (member === undefined ? '' : pointerPart(member)),
      part,
    ]),
  );
}

function schemasAt(keyword: string, value: unknown): readonly Part[] {
  const grammar = Object.hasOwn(GRAMMAR, keyword) ? GRAMMAR[keyword] : undefined;
  return grammar?.schemas?.(value) ?? [];
}

/** Calls `visit` with each schema that is an object, from the outermost inwards, and with its place. */
export function eachSchema(
  schema: unknown,
  visit: (schema: Record<string, unknown>, place: string) => void,
  place = '',
): void {
  if (!isObject(schema)) return;
  visit(schema, place);
  for (const [inner, part] of partsOf(schema)) eachSchema(part, visit, place + inner);
}

/** All schemas in a schema with their places, and those under other keywords to which a reference leads. */
export function schemasIn(
  root: Record<string, unknown>,
): ReadonlyMap<Record<string, unknown>, string> {
  const found = new Map<Record<string, unknown>, string>();
  const add = (schema: Record<string, unknown>, place: string): void => {
    if (!found.has(schema)) found.set(schema, place);
  };
  eachSchema(root, add);
  for (const [{ $ref: ref }] of found) {
    const target = targetOf(ref, root);
    if (isObject(target) && !found.has(target)) eachSchema(target, add, String(ref).slice(1));
  }
  return found;
}

/** The schema with the schemas directly in it replaced, except booleans. */
export function mapParts<T extends object>(
  schema: Readonly<Record<string, unknown>>,
  change: (part: Record<string, unknown>) => T,
): Record<string, unknown> {
  const changed = (part: unknown): unknown => (isObject(part) ? change(part) : part);
  const entries = Object.entries(schema).map(([keyword, value]) => {
    const parts = schemasAt(keyword, value);
    const [first] = parts;
    if (first === undefined) return [keyword, value] as const;
    if (first[0] === undefined) return [keyword, changed(value)] as const;
    if (Array.isArray(value)) return [keyword, value.map(changed)] as const;
    const members = parts.map(([name, part]) => [name, changed(part)] as const);
    return [keyword, { ...(value as object), ...Object.fromEntries(members) }] as const;
  });
  return Object.fromEntries(entries);
}

/** @throws {SchemaFault} for a keyword whose value JSON Schema does not allow. */
export function assertKeywords(schema: Record<string, unknown>): void {
  for (const [each, place] of schemasIn(schema)) {
    for (const [keyword, value] of Object.entries(each)) {
      const grammar = Object.hasOwn(GRAMMAR, keyword) ? GRAMMAR[keyword] : undefined;
      if (grammar === undefined || grammar.accepts(value)) continue;
      const shown = (JSON.stringify(value) ?? String(value)).slice(0, 100);
      throw new SchemaFault(
        place + pointerPart(keyword),
        `\`${keyword}\` is ${shown}`,
        `it must be ${grammar.expected}`,
      );
    }
  }
}
