import type { Schema } from './schema.js';

/** Random numbers below a limit, the same ones in every run. */
export type Random = (limit: number) => number;

export function randomFrom(seed: number): Random {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** A value of the kind that a schema describes. It need not satisfy every keyword. */
export function sample(schema: Schema, root: Schema, random: Random, depth = 0): unknown {
  const inner = (next: unknown): unknown => sample(next as Schema, root, random, depth + 1);
  const oneOf = (values: unknown): unknown => {
    const list = values as readonly unknown[];
    return list[random(list.length)];
  };
  const { $ref, examples, type, allOf } = schema;
  if (typeof $ref === 'string') return inner(at(root, $ref));
  if ('const' in schema) return schema['const'];
  if (schema['enum']) return oneOf(schema['enum']);
  if (examples) return oneOf(examples);
  const choice = schema['oneOf'] ?? schema['anyOf'];
  if (choice && !schema['properties']) {
    // The first ones do not lead back to themselves.
    return inner(depth > 4 ? (choice as readonly unknown[])[0] : oneOf(choice));
  }
  if (allOf) return Object.assign({}, ...(allOf as unknown[]).map(inner)) as unknown;
  switch (Array.isArray(type) ? oneOf(type) : type) {
    case 'object':
      return objectSample(schema, random, depth, inner);
    case 'array':
      return listSample(schema, random, depth, inner);
    case 'string':
      return textSample(schema, random);
    case 'integer':
      return wholeSample(schema, random);
    case 'number':
      return wholeSample(schema, random) + random(4) / 4;
    case 'boolean':
      return random(2) === 0;
    default:
      return null;
  }
}

function at(root: Schema, reference: string): unknown {
  const keys = reference.split('/').slice(1);
  return keys.reduce<unknown>((value, key) => (value as Schema)[key], root);
}

function objectSample(
  schema: Schema,
  random: Random,
  depth: number,
  inner: (schema: unknown) => unknown,
): unknown {
  const required = (schema['required'] ?? []) as readonly string[];
  const properties = Object.entries((schema['properties'] ?? {}) as Schema);
  const value = Object.fromEntries(
    properties
      .filter(([name]) => required.includes(name) || random(10) < (depth < 3 ? 5 : 3))
      .map(([name, each]) => [name, inner(each)]),
  );
  const others = schema['additionalProperties'];
  if (properties.length > 0 || others === undefined || others === false) return value;
  const names = ['NAME', 'VALUE', 'REGION', 'TEAM', 'LEVEL'].slice(0, 1 + random(5));
  return Object.fromEntries(names.map((name) => [name, inner(others === true ? {} : others)]));
}

function listSample(
  schema: Schema,
  random: Random,
  depth: number,
  inner: (schema: unknown) => unknown,
): unknown[] {
  const { prefixItems } = schema;
  if (prefixItems) return (prefixItems as readonly unknown[]).map(inner);
  const least = (schema['minItems'] ?? 0) as number;
  const length = least + random(depth > 3 ? 2 : 4);
  return Array.from({ length }, () => inner(schema['items'] ?? {}));
}

const WORDS =
  'The quick brown fox jumps over the lazy dog while nine more sleep under old oak trees';

function textSample(schema: Schema, random: Random): string {
  const least = (schema['minLength'] ?? 0) as number;
  const most = Math.min((schema['maxLength'] ?? WORDS.length) as number, WORDS.length);
  return WORDS.slice(random(8), 8 + least + random(Math.max(most - least - 8, 1))).slice(0, most);
}

function wholeSample(schema: Schema, random: Random): number {
  const least = (schema['minimum'] ?? 1) as number;
  const most = (schema['maximum'] ?? least + 10_000) as number;
  const step = (schema['multipleOf'] ?? 1) as number;
  return Math.ceil((least + random(most - least)) / step) * step;
}
