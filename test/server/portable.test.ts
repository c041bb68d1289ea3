import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { argumentsRoot } from '../../runtime/schemas/index.js';
import { portable } from '../../runtime/schemas/portable.js';
import { assertReferences } from '../../runtime/schemas/references.js';
import * as z from 'zod';
import { defineTool } from '../../runtime/server/index.js';
import { modern, rig } from './support.js';
import { lintTools } from '../../contracts/lint/index.js';
import type { JsonSchema, JsonValue } from '../../json-schema/index.js';
import { secondOpinion } from '../read/differential.js';
import { sized } from '../support/size.js';

type Json = Readonly<Record<string, unknown>>;
type Verdict = (value: unknown) => boolean;

const OPTIONS = { strict: false, validateFormats: false } as const;

/** Undefined for a schema that leads to itself in one place, which says nothing. */
function compiled(schema: Json): Verdict | undefined {
  const isOld = typeof schema['$schema'] === 'string' && schema['$schema'].includes('draft-07');
  const ajv = isOld ? new Ajv.default(OPTIONS) : new Ajv2020.default(OPTIONS);
  const verdict = endless(() => ajv.compile(schema));
  return verdict === 'endless' ? undefined : verdict;
}

function endless<T>(work: () => T): T | 'endless' {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return 'endless';
    throw error;
  }
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'];
const constants = fc.constantFrom('a', 'b', '', 1, 2, 1.5, true, null);
const types = fc.oneof(
  fc.constantFrom(...TYPES),
  fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 }),
);
const limits = fc.record(
  {
    minLength: fc.nat(2),
    maximum: fc.integer({ min: -1, max: 3 }),
    minItems: fc.nat(2),
    maxProperties: fc.nat(2),
    required: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const annotations = fc.record(
  { title: fc.constant('T'), description: fc.constant('D'), default: constants },
  { requiredKeys: [] },
);
const constantMembers = fc.array(
  fc.oneof(
    constants.map((value): Json => ({ const: value })),
    fc.array(constants, { minLength: 1, maxLength: 2 }).map((values): Json => ({
      enum: [...new Set(values)],
    })),
    fc.record({ type: fc.constantFrom('string', 'number'), const: constants }),
  ),
  { minLength: 1, maxLength: 3 },
);

/** Schemas of a draft, with references to definitions that may refer to others. */
function schemas(draft: 'draft-07' | '2020-12'): fc.Arbitrary<Json> {
  const defs = draft === 'draft-07' ? 'definitions' : '$defs';
  const { part } = fc.letrec((tie) => ({
    part: fc
      .oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.record({ type: types, enum: fc.option(fc.uniqueArray(constants, { minLength: 1 })) }),
        annotations,
        limits,
        fc.record({ const: constants }),
        fc
          .constantFrom(
            `#/${defs}/A`,
            `#/${defs}/B`,
            '#/properties/a',
            `#/${defs}/A/properties/a`,
            `#/${defs}/B/items/0`,
            `#/${defs}/B/prefixItems/0`,
            `#/${defs}/A/${defs}/C`,
          )
          .map(($ref): Json => ({ $ref })),
        fc.record({ patternProperties: fc.dictionary(fc.constantFrom('^a', 'b'), tie('part')) }),
        fc.record({ propertyNames: fc.record({ maxLength: fc.nat(1) }) }),
        fc.record({ contains: tie('part') }),
        fc.record({ allOf: fc.array(tie('part'), { minLength: 1, maxLength: 2 }) }),
        fc.record(
          { if: tie('part'), then: tie('part'), else: tie('part') },
          { requiredKeys: ['if'] },
        ),
        draft === 'draft-07'
          ? fc.record({ contains: tie('part'), items: tie('part') })
          : fc.oneof(
              fc.record({
                unevaluatedProperties: fc.oneof(fc.boolean(), tie('part')),
                allOf: fc.array(tie('part'), { minLength: 1, maxLength: 2 }),
              }),
              fc.record({
                unevaluatedItems: fc.oneof(fc.boolean(), tie('part')),
                contains: tie('part'),
                minContains: fc.nat(2),
              }),
              fc.record({
                dependentSchemas: fc.dictionary(fc.constantFrom('a', 'b'), tie('part')),
              }),
            ),
        fc.record({ anyOf: constantMembers }),
        fc.record({ oneOf: constantMembers }),
        fc.record({ properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('part')) }),
        fc.record({ items: tie('part') }),
        fc.record({ additionalProperties: fc.oneof(fc.boolean(), tie('part')) }),
        fc.record({ not: tie('part') }),
        fc.record({ anyOf: fc.array(tie('part'), { minLength: 1, maxLength: 2 }) }),
        draft === 'draft-07'
          ? fc.record({
              items: fc.array(tie('part'), { minLength: 1, maxLength: 2 }),
              additionalItems: fc.oneof(fc.boolean(), tie('part')),
            })
          : fc.record({
              prefixItems: fc.array(tie('part'), { minLength: 1, maxLength: 2 }),
              items: fc.oneof(fc.boolean(), tie('part')),
            }),
        draft === 'draft-07'
          ? fc.record({
              dependencies: fc.dictionary(
                fc.constantFrom('a', 'b'),
                fc.oneof(fc.constant(['b']), tie('part')),
              ),
            })
          : fc.record({ dependentRequired: fc.constant({ a: ['b'] }) }),
      )
      .chain<Json>((first) =>
        fc.oneof(annotations, limits, fc.record({ type: types })).map((more): Json => {
          // The oracle heeds what stands beside a reference of draft-07, where nothing does.
          if (draft === 'draft-07' && '$ref' in first) return first;
          const { enum: values, ...rest } = { ...more, ...first } as Json & { enum?: unknown };
          return { ...rest, ...(Array.isArray(values) && { enum: values }) };
        }),
      ),
  }));
  // As above, of what A and B have.
  const beside = (schema: Json, more: Json): Json =>
    draft === 'draft-07' && '$ref' in schema ? schema : { ...more, ...schema };
  const within = fc.record({ a: part, b: part, c: part, inner: part, items: part });
  return fc.tuple(part, within).map(([root, { a, b, c, inner, items }]) => ({
    ...(draft === 'draft-07' && { $schema: 'http://json-schema.org/draft-07/schema#' }),
    ...root,
    [defs]: {
      A: { ...beside(a, { properties: { a: inner } }), [defs]: { C: c } },
      B: beside(b, { [draft === 'draft-07' ? 'items' : 'prefixItems']: [items] }),
    },
  }));
}

/** What ajv finds only when it compiles: a reference to what the drawn schema does not have. */
function isWhole(schema: Json): boolean {
  try {
    assertReferences(schema);
    return true;
  } catch {
    return false;
  }
}

const values = fc.jsonValue({ maxDepth: 3 });
const near = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    constants,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')),
  ),
})).value;

const objects = fc.dictionary(fc.constantFrom('a', 'b', 'c'), near, { maxKeys: 3 });
const text = (schema: Json): string => JSON.stringify(schema);
const RUNS = sized(100);

/**
 * Where ajv's verdicts differ, another implementation decides: ajv loses what `contains` has evaluated inside an
 * `anyOf`.
 */
function expectSameOpinion(
  schema: Json,
  result: Json,
  draft: '2020-12' | 'draft-07',
  value: unknown,
): void {
  const [before, after] = [schema, result].map((each) =>
    secondOpinion(each as JsonSchema, draft, value as JsonValue),
  );
  expect(after, JSON.stringify(value)).toBe(before);
}

/** As the server lists it. Undefined for a schema that accepts no object. */
function rootOf(schema: Json): Json | undefined {
  try {
    return argumentsRoot(schema);
  } catch {
    return undefined;
  }
}

describe('a server with portable schemas', () => {
  it('lists them, and checks by those of the author', async () => {
    const tool = defineTool({
      name: 'draw',
      description: 'Draws.',
      input: z.object({ kind: z.literal('circle'), size: z.union([z.literal(1), z.literal(2)]) }),
      output: z.object({ kind: z.literal('circle') }),
      run: ({ args }) => ({ kind: args.kind }),
    });
    const host = await rig({ tools: [tool], schemas: 'portable' });
    const { result } = await modern(host, 'tools/list');
    const [listed] = result?.['tools'] as readonly Json[];
    expect(JSON.stringify(listed)).not.toContain('"const"');
    expect(listed?.['inputSchema']).toMatchObject({
      properties: { kind: { enum: ['circle'] }, size: { enum: [1, 2] } },
    });
    const call = (size: number) =>
      modern(host, 'tools/call', { name: 'draw', arguments: { kind: 'circle', size } });
    expect((await call(2)).result).toMatchObject({ structuredContent: { kind: 'circle' } });
    expect((await call(3)).result).toMatchObject({ isError: true });
    const plain = await modern(await rig({ tools: [tool] }), 'tools/list');
    expect(JSON.stringify(plain.result)).toContain('"const"');
  });
});

describe('portable schemas', () => {
  it.each(['2020-12', 'draft-07'] as const)('of %s accept the same values', (draft) => {
    const seen = { true: 0, false: 0, inlined: 0 };
    fc.assert(
      fc.property(
        schemas(draft),
        fc.array(fc.oneof(near, values), { minLength: 20, maxLength: 20 }),
        (schema, all) => {
          fc.pre(isWhole(schema));
          const result = portable(schema);
          seen.inlined += Number(text(schema).includes('$ref') && !text(result).includes('$ref'));
          const before = compiled(schema);
          // What leads nowhere is refused by ajv, and is a fault.
          const after = compiled(result);
          fc.pre(before !== undefined && after !== undefined);
          for (const value of all) {
            const verdicts = [endless(() => before?.(value)), endless(() => after?.(value))];
            if (verdicts.includes('endless')) continue;
            seen[`${verdicts[0] === true}`] += 1;
            if (verdicts[0] === verdicts[1]) continue;
            expectSameOpinion(schema, result, draft, value);
          }
        },
      ),
      { numRuns: RUNS },
    );
    expect(Math.min(seen.true, seen.false, seen.inlined)).toBeGreaterThan(RUNS / 20);
  });

  it.each(['2020-12', 'draft-07'] as const)('of %s keep the root of arguments', (draft) => {
    fc.assert(
      fc.property(schemas(draft), fc.array(objects, { minLength: 10 }), (schema, all) => {
        fc.pre(isWhole(schema));
        const root = rootOf(schema);
        fc.pre(root !== undefined);
        if (root === undefined) return;
        const result = portable(root);
        expect(result['type']).toBe('object');
        expect(text(result).includes('$ref') || result['properties'] !== undefined).toBe(true);
        const [before, after] = [compiled(schema), compiled(result)];
        fc.pre(before !== undefined && after !== undefined);
        for (const value of all) {
          const verdicts = [endless(() => before?.(value)), endless(() => after?.(value))];
          if (verdicts.includes('endless') || verdicts[0] === verdicts[1]) continue;
          expectSameOpinion(schema, result, draft, value);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('keep what contains has evaluated', () => {
    const contains = { type: ['array', 'string'], contains: { const: 1.5 } };
    const schema = { type: ['string', 'array'], unevaluatedItems: false, contains, minContains: 2 };
    for (const value of [['', ''], ['', 1], ['a', 'b', []], 'a', ['']]) {
      expectSameOpinion(schema, portable(schema), '2020-12', value);
    }
  });

  it('have no reference, no constant and no list of types, where they can be without', () => {
    const address = { type: 'object', properties: { city: { type: ['string', 'null'] } } };
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        home: { $ref: '#/$defs/Address', description: 'Where one lives.' },
        kind: { anyOf: [{ const: 'a' }, { const: 'b' }] },
        fixed: { const: 'x' },
      },
      $defs: { Address: address },
    };
    expect(portable(schema)).toEqual({
      type: 'object',
      properties: {
        home: {
          type: 'object',
          description: 'Where one lives.',
          properties: { city: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
        },
        kind: { type: 'string', enum: ['a', 'b'] },
        fixed: { enum: ['x'] },
      },
    });
    const tool = { name: 'x', description: 'x', inputSchema: portable(schema) };
    const before = lintTools([{ ...tool, inputSchema: schema }], { hosts: ['gemini', 'copilot'] });
    const after = lintTools([tool], { hosts: ['gemini', 'copilot'] });
    expect(before.length).toBeGreaterThan(after.length);
    expect(after.map(({ rule }) => rule)).toEqual(['gemini/type']);
  });

  it('leave a schema that contains itself as it is, and one with names of its own', () => {
    const tree = { type: 'object', properties: { children: { items: { $ref: '#' } } } };
    expect(portable(tree)).toEqual(tree);
    const named = { type: 'object', properties: { a: { $id: 'x', const: 1 } } };
    expect(portable(named)).toEqual(named);
  });

  const $schema = 'http://json-schema.org/draft-07/schema#';

  it('have what references lead to in the schema as it is written', () => {
    const items = [{ const: 1 }, { $ref: '#/properties/line/items/0' }];
    const tuple = { $schema, type: 'object', properties: { line: { type: 'array', items } } };
    expect(portable(tuple)).toEqual({
      type: 'object',
      properties: { line: { type: 'array', prefixItems: [{ enum: [1] }, { enum: [1] }] } },
    });
    const definitions = { a: { type: 'object', definitions: { b: { type: 'string' } } } };
    const $ref = '#/definitions/a/definitions/b';
    const within = { $schema, type: 'object', properties: { b: { $ref } }, definitions };
    expect(portable(within)).toEqual({ type: 'object', properties: { b: { type: 'string' } } });
  });

  it('are those of the author where they cannot be rewritten', () => {
    const Node = { type: 'object', properties: { next: { $ref: '#/definitions/Node' } } };
    const list = { $schema, type: 'object', $ref: '#/definitions/Node', definitions: { Node } };
    expect(portable(list)).toEqual(list);
    const older = { $schema: 'https://json-schema.org/draft/2019-09/schema', type: 'object' };
    expect(portable(older)).toEqual(older);
    const mixed = { $schema, type: 'object', properties: {}, dependentRequired: { a: ['b'] } };
    expect(portable(mixed)).toEqual(mixed);
    const constant = { type: 'object', properties: { a: { const: 1 }, b: { $ref: '#' } } };
    expect(portable(constant)).toEqual(constant);
  });

  it('keep formats of numbers, and of contents', () => {
    const format = 'int64';
    const contentSchema = { $ref: '#/$defs/Content' };
    const schema = {
      type: 'object',
      properties: { a: { type: ['integer', 'null'], format }, b: { contentSchema } },
      $defs: { Content: { const: 1 } },
    };
    expect(portable(schema)).toEqual({
      type: 'object',
      properties: {
        a: { anyOf: [{ type: 'integer', format }, { type: 'null' }] },
        b: { contentSchema: { enum: [1] } },
      },
    });
  });

  it('have the root that a reference names', () => {
    const Args = { type: 'object', properties: { a: { const: 1 } } };
    const schema = { type: 'object', $ref: '#/$defs/Args', $defs: { Args } };
    expect(portable(schema)).toEqual({ type: 'object', properties: { a: { enum: [1] } } });
  });

  it('do not grow without end', () => {
    const $defs: Record<string, Json> = { D0: { type: 'string' } };
    for (let at = 1; at < 40; at += 1) {
      const ref = { $ref: `#/$defs/D${at - 1}` };
      $defs[`D${at}`] = { type: 'object', properties: { a: ref, b: ref } };
    }
    const bomb = { type: 'object', properties: { x: { $ref: '#/$defs/D39' } }, $defs };
    expect(JSON.stringify(portable(bomb)).length).toBeLessThan(10_000);
  });

  it('have properties at the root, and keep what they do not know', () => {
    expect(portable({ type: 'object', 'x-own': 1 })).toEqual({
      type: 'object',
      'x-own': 1,
      properties: {},
    });
  });
});
