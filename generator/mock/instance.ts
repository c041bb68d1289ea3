import { targetOf } from '../../json-schema/pointer.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { isObject, member } from '../../runtime/peer/wire/json.js';
import type { Random } from './random.js';
import { textFor } from './text-instance.js';

/** Levels of a value, below which only what is required is made. */
const DEEPEST = 6;
const LEVELS = 40;
/** Values in one value. */
const MOST_VALUES = 5_000;
const MOST_ITEMS = 1_000;

interface Making {
  readonly root: JsonObject;
  readonly random: Random;
  values: number;
}

/** The schema cannot be followed: it asks for too many values, or refers to nothing. */
export class NoInstance extends Error {}

/**
 * Makes a value that a JSON Schema probably accepts, the same for the same random numbers. Check it: keywords that
 * exclude values, such as `not`, are not followed.
 *
 * @throws {NoInstance}
 */
export function instanceOf(schema: JsonObject, random: Random): unknown {
  return make(schema, { root: schema, random, values: 0 }, 0);
}

function make(schema: unknown, making: Making, level: number): unknown {
  if ((making.values += 1) > MOST_VALUES || level > LEVELS) {
    throw new NoInstance('the schema asks for too large a value');
  }
  if (schema === false) throw new NoInstance('the schema accepts no value');
  if (!isObject(schema)) return 'any';
  const { random } = making;
  if ('const' in schema) return schema['const'];
  if (isList(schema['enum'])) return random.pick(schema['enum']);
  if (typeof schema['$ref'] === 'string') {
    const { $ref: reference, ...beside } = schema;
    return make(merged([referred(making.root, String(reference)), beside]), making, level + 1);
  }
  const { allOf, anyOf, oneOf, ...own } = schema;
  if (isList(allOf))
    return make(merged([own, ...allOf, pickKeep({ anyOf, oneOf })]), making, level + 1);
  const choices = [anyOf, oneOf].filter(isList);
  if (choices.length > 0) {
    const chosen = choices.map((each) => chosenOf(each, random, level));
    return make(merged([own, ...chosen]), making, level + 1);
  }
  if (isList(schema['examples']) && random.next() < 0.5) return random.pick(schema['examples']);
  return ofType(typeOf(schema, random), schema, making, level);
}

/** Deep down, the first choice: recursive types end with it most often. */
function chosenOf(choices: readonly unknown[], random: Random, level: number): unknown {
  if (level <= DEEPEST) return random.pick(choices);
  return choices.find((each) => member(each, 'type') === 'null') ?? choices[0];
}

function pickKeep({ anyOf, oneOf }: JsonObject): JsonObject {
  return { ...(anyOf !== undefined && { anyOf }), ...(oneOf !== undefined && { oneOf }) };
}

function typeOf(schema: JsonObject, random: Random): unknown {
  const { type } = schema;
  if (isList(type)) return random.pick(type);
  if (type !== undefined) return type;
  if ('properties' in schema || 'required' in schema) return 'object';
  if ('items' in schema || 'prefixItems' in schema) return 'array';
  if ('minimum' in schema || 'maximum' in schema || 'multipleOf' in schema) return 'number';
  return 'string';
}

function ofType(type: unknown, schema: JsonObject, making: Making, level: number): unknown {
  const { random } = making;
  switch (type) {
    case 'null':
      return null;
    case 'boolean':
      return random.next() < 0.5;
    case 'integer':
    case 'number':
      return numberFor(schema, random, type === 'integer');
    case 'array':
      return listFor(schema, making, level);
    case 'object':
      return objectFor(schema, making, level);
    default:
      return textFor(schema, random);
  }
}

function numberFor(schema: JsonObject, random: Random, isWhole: boolean): number {
  const step = numberIn(schema, 'multipleOf') ?? (isWhole ? 1 : 0.5);
  const above = numberIn(schema, 'exclusiveMinimum');
  const below = numberIn(schema, 'exclusiveMaximum');
  const low = numberIn(schema, 'minimum') ?? (above === undefined ? undefined : above + step);
  const high = numberIn(schema, 'maximum') ?? (below === undefined ? undefined : below - step);
  const from = low ?? (high === undefined ? 0 : high - 100 * step);
  const to = high ?? from + 100 * step;
  const first = Math.ceil(from / step);
  const last = Math.floor(to / step);
  const value = random.between(first, Math.min(Math.max(first, last), first + 1_000)) * step;
  if (!Number.isFinite(value)) throw new NoInstance('the schema asks for too large a number');
  return value;
}

function listFor(schema: JsonObject, making: Making, level: number): unknown[] {
  const { random } = making;
  const least = numberIn(schema, 'minItems') ?? 0;
  const most = numberIn(schema, 'maxItems') ?? least + 3;
  if (least > MOST_ITEMS) throw new NoInstance('the schema asks for too large a list');
  const prefix = isList(schema['prefixItems']) ? schema['prefixItems'] : [];
  const wanted = level > DEEPEST ? least : random.between(Math.max(least, 1), Math.max(least, 3));
  const items = isList(schema['items']) ? schema['items'][0] : schema['items'];
  const count = items === false ? prefix.length : Math.max(prefix.length, Math.min(wanted, most));
  const contains = schema['contains'];
  return Array.from({ length: count }, (_, index) =>
    make(
      prefix[index] ?? (index === 0 && contains !== undefined ? contains : (items ?? true)),
      making,
      level + 1,
    ),
  );
}

function objectFor(schema: JsonObject, making: Making, level: number): JsonObject {
  const { random } = making;
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = new Set(isList(schema['required']) ? schema['required'].map(String) : []);
  const others = [...required].filter((name) => !Object.hasOwn(properties, name));
  const named = Object.keys(properties).filter(
    (name) =>
      required.has(name) || (level <= DEEPEST && properties[name] !== false && random.next() < 0.8),
  );
  const extra = schema['additionalProperties'] ?? true;
  const entries = [
    ...named.map((name) => [name, properties[name]]),
    ...others.map((name) => [name, extra === false ? true : extra]),
  ] as [string, unknown][];
  const least = Math.min(numberIn(schema, 'minProperties') ?? 0, MOST_ITEMS);
  for (let count = 1; entries.length < least; count += 1) entries.push([`property${count}`, extra]);
  // Not an object literal, which would take "__proto__" for the prototype.
  return Object.fromEntries(entries.map(([name, each]) => [name, make(each, making, level + 1)]));
}

/** One schema with the keywords of several. Of those that several have, the objects and lists are joined. */
function merged(schemas: readonly unknown[]): JsonObject | boolean {
  if (schemas.includes(false)) return false;
  const all = new Map<string, unknown>();
  for (const schema of schemas) {
    for (const [key, value] of Object.entries(isObject(schema) ? schema : {})) {
      const before = all.get(key);
      if (key === 'properties' && isObject(before) && isObject(value)) {
        all.set(key, { ...before, ...value });
      } else if ((key === 'required' || key === 'allOf') && isList(before) && isList(value)) {
        all.set(key, [...before, ...value]);
      } else all.set(key, value);
    }
  }
  return Object.fromEntries(all);
}

function referred(root: JsonObject, reference: string): unknown {
  const found = targetOf(reference, root);
  if (found === undefined) throw new NoInstance(`it refers to ${reference.slice(0, 100)}`);
  return found;
}

function numberIn(schema: JsonObject, key: string): number | undefined {
  const value = schema[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0;
}
