import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { portable } from '../../runtime/definitions/portable.js';
import * as z from 'zod';
import { defineTool } from '../../runtime/server/index.js';
import { modern, rig } from './support.js';
import { lintTools } from '../../generator/lint/index.js';

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
        fc.constantFrom('A', 'B').map((name): Json => ({ $ref: `#/${defs}/${name}` })),
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
  return fc.record({ root: part, a: part, b: part }).map(({ root, a, b }) => ({
    ...(draft === 'draft-07' && { $schema: 'http://json-schema.org/draft-07/schema#' }),
    ...root,
    [defs]: { A: a, B: b },
  }));
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
    fc.assert(
      fc.property(
        schemas(draft),
        fc.array(fc.oneof(near, values), { minLength: 20, maxLength: 20 }),
        (schema, all) => {
          const before = compiled(schema);
          const after = compiled(portable(schema));
          fc.pre(before !== undefined && after !== undefined);
          if (before === undefined || after === undefined) return;
          for (const value of all) {
            const verdicts = [endless(() => before(value)), endless(() => after(value))];
            if (verdicts.includes('endless')) continue;
            expect(verdicts[1], JSON.stringify(value)).toBe(verdicts[0]);
          }
        },
      ),
      { numRuns: 600 },
    );
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

  it('leave what points at places that would move', () => {
    const $schema = 'http://json-schema.org/draft-07/schema#';
    const items = [{ type: 'object' }, { $ref: '#/properties/line/items/0' }];
    const tuple = { $schema, type: 'object', properties: { line: { type: 'array', items } } };
    expect(portable(tuple)).toEqual(tuple);
    const Node = { type: 'object', properties: { next: { $ref: '#/definitions/Node' } } };
    const list = { $schema, type: 'object', $ref: '#/definitions/Node', definitions: { Node } };
    expect(portable(list)).toEqual(list);
    const older = { $schema: 'https://json-schema.org/draft/2019-09/schema', type: 'object' };
    expect(portable(older)).toEqual(older);
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
