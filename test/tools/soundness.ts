import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { emitTools, readTools } from '../../generator/tools/index.js';
import type { Json } from '../support/corpus/json.js';
import { compileWith } from '../support/ts-compile.js';
import type { TypeScriptVersion } from '../support/ts-compile.js';

type Schema = { [key: string]: Json } | boolean;

/** Few keys and values, so that schemas and values often meet. */
const keys = fc.constantFrom('a', 'b', 'ab', '__proto__', "it's", 'constructor');
const scalars = fc.constantFrom<Json>(null, true, false, 0, 1, -1.5, 1e21, '', 'a', '*/', '${x}');

export const values: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.tuple(keys, tie('value')), { maxLength: 3 })
      .map((entries) => Object.fromEntries(entries) as Json),
  ),
})).value;

const typeNames = fc.constantFrom(
  'null',
  'boolean',
  'integer',
  'number',
  'string',
  'array',
  'object',
);
const references = fc.constantFrom(
  '#',
  '#/$defs/one',
  '#/$defs/two',
  '#/$defs/two/items',
  '#three',
  'urn:four',
);

/** Keywords in any combination, whether or not they make sense together. */
const schemas = fc.letrec<{ schema: Schema; list: Schema[]; map: { [key: string]: Schema } }>(
  (tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.record({ type: typeNames }),
      fc.boolean(),
      fc.oneof(
        fc.record({ $ref: references }),
        fc.constant({ $dynamicRef: '#three' }),
        fc.record(
          {
            type: fc.constant('object'),
            properties: tie('map'),
            required: fc.uniqueArray(keys, { maxLength: 2 }),
            additionalProperties: tie('schema'),
          },
          { requiredKeys: ['type'] },
        ),
        fc.record(
          {
            type: fc.constant('array'),
            items: tie('schema'),
            prefixItems: tie('list'),
            minItems: fc.nat(3),
            maxItems: fc.nat(3),
          },
          { requiredKeys: ['type'] },
        ),
        fc
          .record(
            {
              type: fc.oneof(typeNames, fc.uniqueArray(typeNames, { minLength: 1, maxLength: 3 })),
              properties: tie('map'),
              required: fc.uniqueArray(keys, { maxLength: 2 }),
              additionalProperties: tie('schema'),
              patternProperties: fc.record(
                { '^a': tie('schema'), b$: tie('schema') },
                { requiredKeys: [] },
              ),
              items: tie('schema'),
              prefixItems: tie('list'),
              anyOf: tie('list'),
              oneOf: tie('list'),
              allOf: tie('list'),
              not: tie('schema'),
              if: tie('schema'),
              then: tie('schema'),
              else: tie('schema'),
              const: values,
              enum: fc.uniqueArray(values, {
                minLength: 1,
                maxLength: 3,
                selector: JSON.stringify,
              }),
              minimum: fc.constant(0),
              unevaluatedProperties: tie('schema'),
              unevaluatedItems: tie('schema'),
              contains: tie('schema'),
              propertyNames: fc.oneof(
                tie('schema'),
                fc.record({ enum: fc.uniqueArray(keys, { minLength: 1, maxLength: 3 }) }),
              ),
              dependentSchemas: tie('map'),
              dependentRequired: fc.dictionary(keys, fc.uniqueArray(keys, { maxLength: 2 }), {
                maxKeys: 2,
                noNullPrototype: true,
              }),
              description: fc.constant('*/ `${x}`'),
            },
            { requiredKeys: [] },
          )
          .map((schema) => sparse(schema)),
      ),
    ),
    list: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
    map: fc.dictionary(keys, tie('schema'), { maxKeys: 3, noNullPrototype: true }),
  }),
);

/** At most four keywords: with more, hardly any value is left. */
function sparse(schema: object): Schema {
  return Object.fromEntries(Object.entries(schema).slice(-4));
}

const documents = fc
  .record({
    root: schemas.schema,
    one: schemas.schema,
    two: schemas.schema,
    three: schemas.schema,
    four: schemas.schema,
  })
  .map(({ root, one, two, three, four }): { [key: string]: Json } => ({
    ...(typeof root === 'boolean' ? {} : root),
    $defs: {
      one,
      two,
      named: typeof three === 'boolean' ? {} : { ...three, $dynamicAnchor: 'three' },
      four: {
        $id: 'urn:four',
        $defs: { three: { $dynamicAnchor: 'three', type: 'string' } },
        anyOf: [four, { $dynamicRef: '#three' }],
      },
    },
  }));

export interface Soundness {
  /** Pairs of a schema and a value that it accepts. */
  readonly cases: number;
  /** How many of the schemas are no type but `unknown`. */
  readonly vacuous: number;
  /** What the compiler has against a value that the schema accepts. */
  readonly errors: readonly string[];
}

/**
 * Whether every value that ajv accepts is assignable to the type, for schemas made at random: as
 * what a tool returns, and, where it is an object, as what the tool takes.
 */
export async function checkSoundness(
  count: number,
  seed: number,
  version: TypeScriptVersion,
): Promise<Soundness> {
  const pool = fc.sample(values, { numRuns: 150, seed });
  const made = fc.sample(documents, { numRuns: count, seed }).flatMap((schema) => {
    const accepts = judge(schema);
    return accepts
      ? [{ schema, accepted: pool.filter((value) => accepts(value)).slice(0, 12) }]
      : [];
  });
  const { tools } = readTools(
    made.map(({ schema }, index) => ({
      name: `t${String(index)}`,
      inputSchema: schema,
      outputSchema: schema,
    })),
  );
  const checks = made.flatMap(({ accepted }, index) =>
    accepted.flatMap((value) => {
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      return [`T${String(index)}Output`, ...(isObject ? [`T${String(index)}Input`] : [])].map(
        (name) => ({ name, value, schema: made[index]?.schema }),
      );
    }),
  );
  const lines = checks.map(
    ({ name, value }) => `export const x = (v: ${JSON.stringify(value)}): t.${name} => v;`,
  );
  const files = {
    'tools.ts': await emitTools(tools, './validators.js'),
    'validators.ts': 'export declare const toolChecks: ReadonlyMap<string, any>;',
    'check.ts': [
      "import type * as t from './tools.js';",
      ...lines.map((line, index) => line.replace('x =', `x${String(index)} =`)),
    ].join('\n'),
  };
  const found = await compileWith(version, files);
  return {
    cases: checks.length,
    vacuous: tools.filter(({ types, output }) =>
      types.some(({ name, node }) => name === output?.name && node.kind === 'any'),
    ).length,
    errors: found.filter(isOfUse).map((error) => {
      const line = Number(/^check\.ts\((\d+),/.exec(error)?.[1] ?? NaN);
      const { schema, value } = checks[line - 2] ?? {};
      return `${error}\n${JSON.stringify(schema)}\naccepts ${JSON.stringify(value)}`;
    }),
  };
}

/**
 * A type of optional properties only refuses what has none of them, although it would be one: the
 * compiler guesses at a mistake. Soundness has nothing to do with it.
 */
function isOfUse(error: string): boolean {
  return !error.includes('has no properties in common with type');
}

/** Ajv, unless it cannot make anything of the schema. */
function judge(schema: object): ((value: unknown) => boolean) | undefined {
  try {
    const validate = new Ajv2020({ strict: false, ownProperties: true, logger: false }).compile(
      schema,
    );
    return (value) => {
      try {
        return validate(value);
      } catch {
        return false; // References that lead back to themselves never end.
      }
    };
  } catch {
    return undefined;
  }
}
