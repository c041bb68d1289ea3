import fc from 'fast-check';
import type { JsonSchema, JsonValue } from '../../json-schema/index.js';
import { readDocument } from '../../generator/read/load/document.js';
import { DEFAULT_LIMITS } from '../../generator/read/load/index.js';
import { plain } from '../read/differential.js';
import { drawnSchema } from '../read/drawn.js';
import type { Random } from '../read/variants.js';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** A definition that is drawn, and those that it refers to, which have longer names. */
export interface Drawn {
  readonly name: string;
  readonly definitions: Schemas;
}

/** Schemas with every keyword, as definitions that can stand in one document; the same ones for the same seed. */
export function drawnDefinitions(count: number, seed: number): Drawn[] {
  const schemas = fc.oneof(
    { weight: 1, arbitrary: drawnSchema('2020-12') },
    { weight: 2, arbitrary: wide.map((root) => ({ ...root, $defs: {} })) },
  );
  return fc
    .sample(schemas, { numRuns: count, seed })
    .map(plain)
    .map((schema, index) => {
      const name = `S${String(index)}`;
      const { $defs, ...root } = schema as { $defs: Schemas };
      const text = JSON.stringify({
        [name]: root,
        ...Object.fromEntries(Object.entries($defs).map(([key, each]) => [name + key, each])),
      });
      const placed = text
        .replaceAll('"$ref":"#"', `"$ref":"#/$defs/${name}"`)
        .replaceAll('"$ref":"#/$defs/A"', `"$ref":"#/$defs/${name}A"`)
        .replaceAll('"$ref":"#/$defs/B"', `"$ref":"#/$defs/${name}B"`);
      return { name, definitions: JSON.parse(placed) as Schemas };
    })
    .filter(({ definitions }) => isRead(definitions));
}

export const allOf = (drawn: readonly Drawn[]): Schemas =>
  Object.fromEntries(drawn.flatMap(({ definitions }) => Object.entries(definitions)));

/** Not so where a definition is nothing but a reference to itself. */
function isRead(definitions: Schemas): boolean {
  const json = { $defs: definitions as Record<string, JsonValue> };
  const { diagnostics } = readDocument('drawn', json, { limits: DEFAULT_LIMITS, strict: true });
  return diagnostics.every(({ severity }) => severity !== 'error');
}

/** Names of an object with many properties; some are inherited by every object. */
const MANY = [
  ...['a', 'b', 'ab', 'c', 'kind', 'x-y', 'toString', 'constructor'],
  ...['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8'],
];

const scalar = fc.constantFrom<JsonSchema>(
  ...[true, false, {}, { not: {} }, { type: 'null' }, { type: 'boolean' }, { const: 'a' }],
  ...[{ type: 'string' }, { type: 'string', minLength: 1 }, { type: 'string', maxLength: 0 }],
  ...[
    { type: 'string', minLength: 2, maxLength: 2 },
    { type: 'string', pattern: '^(a|b)+$' },
  ],
  ...[
    { type: 'string', minLength: 0, pattern: '(?<!a)b' },
    { type: 'integer', minimum: 1 },
  ],
  ...[
    { type: 'number', minimum: 0, maximum: 1 },
    { type: 'number', exclusiveMinimum: 1 },
  ],
  ...[{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 2 }, { type: 'integer' }],
  ...[
    { type: 'number', multipleOf: 1 },
    { type: 'number', multipleOf: 0.5 },
  ],
  ...[{ enum: ['a', 'b', null] }, { enum: ['a', 1] }, { enum: [[1], { a: 1 }, 'b'] }],
  ...[{ const: { a: 1 } }, { const: [] }, { type: ['string', 'integer'] }, { type: 'object' }],
  { enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'] },
  { enum: [...Array(40).keys()].map((each) => (each % 2 === 0 ? each : `k${String(each)}`)) },
  { type: 'array' },
);

const limits = <T extends string>(least: T, most: T) =>
  fc.record({ [least]: fc.nat(2), [most]: fc.nat(3) }, { requiredKeys: [] });

/** Objects, lists and unions that are checked in ways of their own: with many keys, with patterns, by a property. */
const wide = fc
  .letrec<{ value: JsonSchema; object: object; list: object; union: object }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 2 },
      scalar,
      tie('object'),
      tie('list'),
      tie('union'),
    ) as fc.Arbitrary<JsonSchema>,
    object: fc
      .record({
        properties: fc.oneof(
          fc.dictionary(fc.constantFrom(...MANY), tie('value'), { maxKeys: 3 }),
          fc.dictionary(fc.constantFrom(...MANY), tie('value'), { minKeys: 7, maxKeys: 16 }),
        ),
        required: fc.subarray([...MANY], { maxLength: 3 }),
        more: fc.record(
          {
            additionalProperties: tie('value'),
            patternProperties: fc.dictionary(
              fc.constantFrom('^a', 'b$', '^p', '(a|a)*c'),
              tie('value'),
              { minKeys: 1, maxKeys: 2 },
            ),
            propertyNames: fc.constantFrom<JsonSchema>(
              ...[
                { maxLength: 2 },
                { enum: ['a', 'ab', 'c'] },
                { pattern: '^[ab]' },
                { const: 'b' },
              ],
            ),
          },
          { requiredKeys: [] },
        ),
        size: fc.option(limits('minProperties', 'maxProperties'), { nil: {} }),
      })
      .map(({ more, size, ...rest }) => ({ type: 'object', ...rest, ...more, ...size })),
    list: fc
      .record({
        more: fc.record(
          {
            items: tie('value'),
            prefixItems: fc.array(tie('value'), { minLength: 1, maxLength: 3 }),
            contains: tie('value'),
            uniqueItems: fc.boolean(),
          },
          { requiredKeys: [] },
        ),
        size: limits('minItems', 'maxItems'),
        contained: limits('minContains', 'maxContains'),
      })
      .map(({ more, size, contained }) => ({ type: 'array', ...more, ...size, ...contained })),
    union: fc.oneof(
      kinds().map((anyOf) => ({ anyOf })),
      kinds().map((oneOf) => ({ oneOf })),
      fc.array(tie('value'), { minLength: 2, maxLength: 4 }).map((oneOf) => ({ oneOf })),
      fc.array(tie('value'), { minLength: 2, maxLength: 4 }).map((anyOf) => ({ anyOf })),
      fc.array(tie('object'), { minLength: 2, maxLength: 3 }).map((allOf) => ({ allOf })),
      fc.record({ if: tie('value'), then: tie('value'), else: tie('value') }),
      tie('value').map((not) => ({ not })),
      fc
        .record({ allOf: fc.array(tie('object'), { maxLength: 2 }), rest: tie('value') })
        .map(({ rest, ...all }) => ({ ...all, type: 'object', unevaluatedProperties: rest })),
      fc
        .record({
          anyOf: fc.array(tie('list'), { minLength: 1, maxLength: 2 }),
          rest: tie('value'),
        })
        .map(({ rest, ...all }) => ({ ...all, type: 'array', unevaluatedItems: rest })),
    ),
  }))
  .value.map((value): object => (typeof value === 'boolean' ? { allOf: [value] } : value));

/** Members that the value of a property tells apart, or does not. */
function kinds(): fc.Arbitrary<object[]> {
  const member = fc
    .record({
      kind: fc.constantFrom<JsonSchema>(
        ...[{ const: 'a' }, { const: 'b' }, { enum: ['a', 'c'] }, { type: 'string' }, true],
      ),
      a: scalar,
      required: fc.subarray(['kind', 'a']),
      open: fc.constantFrom({}, { additionalProperties: false }, { additionalProperties: true }),
    })
    .map(({ kind, a, required, open }) => ({
      ...{ type: 'object', properties: { kind, a }, required },
      ...open,
    }));
  return fc.array(fc.oneof({ weight: 5, arbitrary: member }, fc.constant({ type: 'string' })), {
    minLength: 2,
    maxLength: 4,
  });
}

/** A value that has a good chance to match the schema; `definitions` are those that it may refer to. */
export function valueOf(schema: JsonSchema, definitions: Schemas, random: Random): JsonValue {
  return made(schema, 4);

  function made(node: Schema, depth: number): JsonValue {
    if (typeof node === 'boolean' || depth === 0) return pick(LEAVES);
    if (node.$ref !== undefined)
      return made(definitions[node.$ref.slice('#/$defs/'.length)] ?? true, depth - 1);
    if (node.const !== undefined) return node.const;
    if (node.enum) return pick(node.enum);
    const either = [
      ...(node.anyOf ?? []),
      ...(node.oneOf ?? []),
      ...(node.then ? [node.then] : []),
    ];
    const own = valueOfType(node, depth);
    const parts = [...(node.allOf ?? []), ...(either.length > 0 ? [pick(either)] : [])];
    return parts.map((each) => made(each, depth - 1)).reduce(together, own ?? pick(LEAVES));
  }

  function valueOfType(node: Exclude<Schema, boolean>, depth: number): JsonValue | undefined {
    const [type] = [node.type ?? []].flat();
    if (type === 'object' || node.properties) return objectOf(node, depth);
    if (type === 'array' || node.items || node.prefixItems) return listOf(node, depth);
    return pick(LEAVES.filter((each) => typeOf(each) === (type === 'integer' ? 'number' : type)));
  }

  function objectOf(node: Exclude<Schema, boolean>, depth: number): JsonValue {
    const { properties = {}, required = [], additionalProperties: rest = true } = node;
    const rules = Object.values(node.patternProperties ?? {});
    const wanted = [...Object.keys(properties).filter(() => random(3) > 0), ...required];
    const more = rest === false && rules.length === 0 ? [] : MANY.filter(() => random(8) === 0);
    return Object.fromEntries(
      [...wanted, ...more].map((key) => [
        key,
        made(properties[key] ?? pick(rules) ?? rest, depth - 1),
      ]),
    );
  }

  function listOf({ prefixItems = [], items, contains }: Exclude<Schema, boolean>, depth: number) {
    const rest = Array.from({ length: random(3) }, () => items ?? contains ?? true);
    const all = [...prefixItems, ...(items === false ? [] : rest)];
    return all.map((each) => made(each, depth - 1));
  }

  function pick<T>(all: readonly T[]): T {
    return all[random(all.length)] as T;
  }
}

const typeOf = (value: JsonValue): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

const together = (one: JsonValue, other: JsonValue): JsonValue =>
  typeOf(one) === 'object' && typeOf(other) === 'object'
    ? { ...(one as object), ...(other as object) }
    : other;

/** The keywords by which values are made. */
type Schema =
  | boolean
  | {
      readonly $ref?: string;
      readonly const?: JsonValue;
      readonly enum?: readonly JsonValue[];
      readonly type?: string | readonly string[];
      readonly anyOf?: readonly Schema[];
      readonly oneOf?: readonly Schema[];
      readonly allOf?: readonly Schema[];
      readonly then?: Schema;
      readonly properties?: Readonly<Record<string, Schema>>;
      readonly patternProperties?: Readonly<Record<string, Schema>>;
      readonly additionalProperties?: Schema;
      readonly required?: readonly string[];
      readonly prefixItems?: readonly Schema[];
      readonly items?: Schema;
      readonly contains?: Schema;
    };

const LEAVES: readonly JsonValue[] = [
  ...[null, true, '', 'a', 'b', 'ab', 'aab', 'k3', 0, 1, 2, 0.5, 1.5, -1],
  ...[[], {}, { a: 1 }, [1], [1, 1], ['a', 'b']],
];
