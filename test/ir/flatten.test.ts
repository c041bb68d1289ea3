import { describe, expect, it } from 'vitest';
import { emitZod } from '../../generator/emit/zod/emit-zod.js';
import type { JsonSchema } from '../../json-schema/index.js';
import { Flattener } from '../../generator/ir/index.js';
import { protocolOf } from '../support/protocol.js';

const object = (properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required,
});

/** The flattened intersection `Both`, as its kind and the names of its properties. */
function flattened(definitions: Record<string, unknown>): unknown {
  const { definitions: list } = protocolOf(definitions as Record<string, JsonSchema>);
  const byName = new Map(list.map((definition) => [definition.name, definition]));
  const node = byName.get('Both')?.node;
  if (node?.kind !== 'intersection') throw new Error('no intersection');
  const flat = new Flattener(byName).flatten(node);
  if (flat?.kind === 'object') {
    return Object.fromEntries(flat.properties.map((property) => [property.name, property]));
  }
  return flat;
}

describe('an intersection', () => {
  it('of objects is the object with the properties of all', () => {
    const both = flattened({
      A: object({ a: { type: 'string' }, kind: { type: 'string' } }),
      Both: { allOf: [{ $ref: '#/$defs/A' }, object({ kind: { const: 'b' }, c: {} }, ['kind'])] },
    });
    expect(both).toMatchObject({
      a: { required: false, node: { kind: 'string' } },
      kind: { required: true, node: { kind: 'literal', values: ['b'] } },
      c: { node: { kind: 'any' } },
    });
  });

  it('with a union of objects is a union of objects, with a discriminator if possible', () => {
    const members = ['x', 'y'].map((kind) => object({ kind: { const: kind } }, ['kind']));
    expect(flattened({ Both: { allOf: [object({ a: {} }), { anyOf: members }] } })).toMatchObject({
      kind: 'union',
      discriminator: { property: 'kind' },
    });
  });

  it('with a closed object that has all properties is a closed object', () => {
    const properties = { a: { type: 'string' }, b: {} };
    const closed = { type: 'object', properties, additionalProperties: false };
    const node = flattened({ Both: { allOf: [closed, object({ a: { const: 'x' } }, ['a'])] } });
    expect(node).toMatchObject({ a: { required: true, node: { values: ['x'] } }, b: {} });
  });

  it.each([
    ['something that is no object', [object({}), { type: 'string' }]],
    ...[
      { additionalProperties: false },
      { patternProperties: { x: { type: 'string' } } },
      { propertyNames: { maxLength: 2 } },
      { minProperties: 1 },
      { maxProperties: 1 },
    ].map((rule): [string, unknown[]] => [
      `an object with ${JSON.stringify(rule)}`,
      [object({ a: {} }), { type: 'object', ...rule }],
    ]),
    ['too many alternatives', Array(5).fill({ anyOf: [object({}), object({ a: {} })] })],
  ])('of %s stays one', (_, members) => {
    expect(flattened({ Both: { allOf: members } })).toBeUndefined();
  });

  it.each([
    ['ab', { type: 'string' }, 'literal'],
    ['ab', { enum: ['ab', 'c'] }, 'literal'],
    ['ab', { enum: ['c'] }, 'intersection'],
    ['ab', { type: 'string', minLength: 3 }, 'intersection'],
    ['ab', { type: 'string', maxLength: 1 }, 'intersection'],
    ['ab', { type: 'string', pattern: 'c' }, 'intersection'],
    ['ab', { type: 'number' }, 'intersection'],
    [3, { type: 'integer' }, 'literal'],
    [3.5, { type: 'integer' }, 'intersection'],
    [3, { type: 'number', multipleOf: 2 }, 'intersection'],
    [3, { type: 'number', exclusiveMinimum: 3 }, 'intersection'],
    [3, { type: 'number', exclusiveMaximum: 3 }, 'intersection'],
  ])('of a property %j and %j makes it %s', (constant, schema, kind) => {
    const members = [object({ a: { const: constant } }), object({ a: schema })];
    for (const allOf of [members, members.toReversed()]) {
      expect(flattened({ Both: { allOf } })).toMatchObject({ a: { node: { kind } } });
    }
  });

  it('that doubles at each step is flattened in linear time', () => {
    const depth = 60;
    const chain = Object.fromEntries(
      Array.from({ length: depth }, (_, index) => {
        const next = { $ref: `#/$defs/A${String(index + 1)}` };
        return [`A${String(index)}`, { allOf: [next, next] }];
      }),
    );
    const protocol = protocolOf({ ...chain, [`A${String(depth)}`]: object({ a: {} }) });
    expect(emitZod(protocol)).toContain(
      'export const A0Schema: LooseObject<{\n  a: z.ZodExactOptional<z.ZodUnknown>;\n}>',
    );
  });
});
