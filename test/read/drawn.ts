import fc from 'fast-check';
import type { Draft, JsonSchema, JsonValue } from '../../json-schema/index.js';
import { isBefore } from '../../json-schema/read/drafts.js';
import { keywordIn } from '../../json-schema/read/keywords.js';

/** Few names and small values, so that schemas and values often speak of the same things. */
const name = fc.constantFrom('a', 'b', 'ab', 'c');
const pattern = fc.constantFrom('^a', 'b$', '.', '^(?:a|b)$');
const count = fc.integer({ min: 0, max: 3 });
const number = fc.constantFrom(-1, 0, 0.5, 1, 1.5, 2, 3, 1e21);
const leaf: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue[]>(null, true, false, '', 'a', 'ab', 'b', '\u{1f600}'),
  number,
);

/** JSON values in which the same few keys return. */
export const drawnValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  ),
})).value;

const FLAGS: ReadonlySet<string> = new Set(['exclusiveMinimum', 'exclusiveMaximum']);

/** Schemas of a draft, with every keyword that restricts values, and references to themselves. */
export function drawnSchema(draft: Draft): fc.Arbitrary<JsonSchema> {
  const container = isBefore(draft, '2019-09') ? 'definitions' : '$defs';
  const native = (schema: object): object =>
    Object.fromEntries(
      Object.entries(schema).filter(([key]) => keywordIn(draft, key) && !isLoneFlag(key, schema)),
    );
  // Draft-04 has `exclusiveMinimum` as a flag of `minimum`, and ajv refuses it alone.
  const isLoneFlag = (key: string, schema: object): boolean =>
    draft === 'draft-04' && FLAGS.has(key) && !(key.replace('exclusiveM', 'm') in schema);
  const { inner } = fc.letrec<{ inner: JsonSchema }>((tie) => ({
    inner: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      // Draft-04 has no schemas that are booleans.
      draft === 'draft-04' ? fc.constantFrom<JsonSchema[]>({}, { not: {} }) : fc.boolean(),
      ...kinds(tie('inner'), draft, container).map((kind) =>
        kind.map((schema) => native(schema) as JsonSchema),
      ),
    ),
  }));
  const recursive = draft === '2019-09' ? fc.boolean() : fc.constant(false);
  const parts = fc.record({ root: inner, A: inner, B: inner, recursive });
  return parts.map(({ root, A, B, recursive }): JsonSchema => ({
    ...(recursive && { $recursiveAnchor: true }),
    ...(typeof root === 'boolean' ? { allOf: [root] } : root),
    [container]: { A: A as JsonValue, B: B as JsonValue },
  }));
}

/** Groups of keywords that often meet. */
function kinds(
  inner: fc.Arbitrary<JsonSchema>,
  draft: Draft,
  container: string,
): fc.Arbitrary<object>[] {
  const schemas = fc.array(inner, { minLength: 1, maxLength: 3 });
  const map = fc.dictionary(name, inner, { maxKeys: 3 });
  const names = fc.uniqueArray(name, { maxLength: 2 });
  const type = fc.constantFrom('null', 'boolean', 'object', 'array', 'number', 'integer', 'string');
  const types = fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 }));
  const rule = fc.constantFrom<object[]>({ pattern: '^a' }, { enum: ['a'] }, { maxLength: 1 });
  const object = some({
    type: types,
    properties: map,
    patternProperties: fc.dictionary(pattern, inner, { maxKeys: 2 }),
    additionalProperties: inner,
    propertyNames: fc.oneof<fc.Arbitrary<unknown>[]>(inner, rule),
    required: names,
    minProperties: count,
    maxProperties: count,
    dependentSchemas: map,
    dependentRequired: fc.dictionary(name, names, { maxKeys: 2 }),
    dependencies: fc.dictionary(name, fc.oneof<fc.Arbitrary<unknown>[]>(inner, names), {
      maxKeys: 2,
    }),
  });
  const array = some({
    type: types,
    prefixItems: schemas,
    items: draft === '2020-12' ? inner : fc.oneof<fc.Arbitrary<unknown>[]>(inner, schemas),
    additionalItems: inner,
    contains: inner,
    minContains: count,
    maxContains: count,
    minItems: count,
    maxItems: count,
    uniqueItems: fc.boolean(),
  });
  const scalar = some({
    type: types,
    const: drawnValue,
    enum: fc.array(drawnValue, { minLength: 1, maxLength: 4 }),
    minimum: number,
    maximum: number,
    exclusiveMinimum: draft === 'draft-04' ? fc.boolean() : number,
    exclusiveMaximum: draft === 'draft-04' ? fc.boolean() : number,
    multipleOf: fc.constantFrom(0.5, 1, 2),
    minLength: count,
    maxLength: count,
    pattern,
  });
  const logic = some({
    allOf: schemas,
    anyOf: schemas,
    oneOf: schemas,
    not: inner,
    if: inner,
    then: inner,
    else: inner,
  });
  const reference = fc
    .constantFrom('#', `#/${container}/A`, `#/${container}/B`)
    .map(($ref) => ({ $ref }));
  const base = [object, array, scalar, scalar, logic, reference];
  if (isBefore(draft, '2019-09')) return base;
  if (draft === '2019-09') base.push(fc.constant({ $recursiveRef: '#' }));
  const rest = some({ unevaluatedProperties: inner, unevaluatedItems: inner });
  const closing = fc
    .tuple(fc.oneof(object, array, logic, reference), logic, rest)
    .map(([first, second, third]): object => ({ ...first, ...second, ...third }));
  return [...base, closing];
}

/** An object with some of these keywords: about half of them, or few, for which there are shorter ways. */
function some(keywords: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<object> {
  const few = fc
    .subarray(Object.entries(keywords), { minLength: 1, maxLength: 2 })
    .chain((entries) => fc.record(Object.fromEntries(entries)));
  return fc.oneof(fc.record(keywords, { requiredKeys: [] }), few);
}
