import type { Json, JsonObject } from '../support/corpus/index.js';

/** Chooses a whole number below the given one. */
type Random = (below: number) => number;

interface Context {
  readonly definitions: JsonObject;
  readonly container: string;
  readonly random: Random;
  /** Definitions that a mutation changed: a copy of one is a change of its own. */
  readonly touched: ReadonlySet<string>;
  /** Definitions that the rewriting adds. */
  readonly added: string[];
}

/** Another way to write a schema, with the same meaning; undefined for a schema that it does not fit. */
type Rewriting = (schema: JsonObject, context: Context) => JsonObject | undefined;

const isList = (value: unknown): value is Json[] => Array.isArray(value) && value.length > 1;
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const REWRITINGS: Readonly<Record<string, Rewriting>> = {
  'a list of types as alternatives': ({ type, ...rest }) =>
    isList(type) ? { ...rest, anyOf: type.map((each) => ({ type: each })) } : undefined,
  'a type as a list of one': (schema) =>
    typeof schema['type'] === 'string' ? { ...schema, type: [schema['type']] } : undefined,
  'a constant as an enumeration': ({ const: value, ...rest }) =>
    value === undefined ? undefined : { ...rest, enum: [value] },
  'an enumeration as alternatives': ({ enum: values, type: _, ...rest }) =>
    isList(values) ? { ...rest, anyOf: values.map((each) => ({ const: each })) } : undefined,
  'a boolean as an enumeration': ({ type, ...rest }) =>
    type === 'boolean' ? { ...rest, enum: [false, true] } : undefined,
  'alternatives in two steps': ({ anyOf, ...rest }) =>
    isList(anyOf) && anyOf.length > 2
      ? { ...rest, anyOf: [{ anyOf: anyOf.slice(1) }, ...anyOf.slice(0, 1)] }
      : undefined,
  'an intersection of one': ({ description, ...rest }) => ({
    ...(description !== undefined && { description }),
    allOf: [rest],
  }),
  'what is so without it': ({ ...schema }) => {
    if (schema['type'] === 'string') return { minLength: 0, ...schema };
    if (schema['type'] === 'array') return { minItems: 0, ...schema };
    return schema['type'] === 'object' ? { required: [], minProperties: 0, ...schema } : undefined;
  },
  'other keys that are allowed anyway': (schema) =>
    schema['type'] === 'object' ? { additionalProperties: {}, ...schema } : undefined,
  annotations: (schema) => ({ ...schema, title: 'A title', $comment: 'A comment', examples: [1] }),
  'a reference to a new definition': (schema, { definitions, container, added }) => {
    const name = `Extracted${String(added.length)}`;
    added.push(name);
    definitions[name] = schema;
    return { $ref: `#/${container}/${name}` };
  },
  'the target of a reference': ({ $ref, ...rest }, { definitions, touched }) => {
    const name = typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? '') : '';
    const target = definitions[name];
    return isObject(target) && !touched.has(name) && !('description' in rest)
      ? { ...structuredClone(target), ...rest }
      : undefined;
  },
};

export const REWRITTEN = Object.keys(REWRITINGS);

/** Rewrites schemas of properties, items and other keys, in place; gives the kinds, and the definitions that are new. */
export function rewrite(
  schema: JsonObject,
  container: string,
  touched: ReadonlySet<string>,
  random: Random,
): { readonly kinds: readonly string[]; readonly added: readonly string[] } {
  const definitions = schema[container] as JsonObject;
  const context: Context = { definitions, container, random, touched, added: [] };
  const kinds: string[] = [];
  for (let tries = 0; tries < 40; tries += 1) {
    const places = placesIn(definitions);
    const { owner, key } = places[random(places.length)] ?? {};
    const kind = REWRITTEN[tries % REWRITTEN.length] ?? '';
    const before = owner && key !== undefined ? owner[key] : undefined;
    const after = isObject(before) ? REWRITINGS[kind]?.(before, context) : undefined;
    if (!owner || key === undefined || after === undefined) continue;
    owner[key] = after;
    kinds.push(kind);
  }
  return { kinds, added: context.added };
}

interface Place {
  readonly owner: JsonObject;
  readonly key: string;
}

/** The schemas in definitions, but for those of messages and capabilities, whose notation is what facts are read from. */
function placesIn(definitions: JsonObject): Place[] {
  return Object.entries(definitions).flatMap(([name, schema]) =>
    /Request$|Notification$|Capabilities$|Response$|Message$/.test(name) ? [] : within(schema),
  );
}

function within(schema: Json | undefined): Place[] {
  if (!isObject(schema)) return [];
  const { properties, items, additionalProperties, anyOf } = schema;
  const own = isObject(properties)
    ? Object.keys(properties).map((key) => ({ owner: properties, key }))
    : [];
  const others = ['items', 'additionalProperties']
    .filter((key) => isObject(schema[key]))
    .map((key) => ({ owner: schema, key }));
  const inner = [
    ...(isObject(properties) ? Object.values(properties) : []),
    items,
    additionalProperties,
    ...(Array.isArray(anyOf) ? anyOf : []),
  ];
  return [...own, ...others, ...inner.flatMap(within)];
}
