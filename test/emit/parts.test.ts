import fc from 'fast-check';
import { expect, it } from 'vitest';
import { namedParts } from '../../generator/emit/index.js';
import { type Definition, type JsonObject, mapNode, type Node } from '../../json-schema/index.js';
import { protocolOf } from '../support/protocol.js';

type Schemas = Parameters<typeof protocolOf>[0];

const partsOf = (definitions: Schemas): readonly Definition[] =>
  namedParts(protocolOf(definitions)).definitions;

const namesOf = (definitions: Schemas): string[] => partsOf(definitions).map(({ name }) => name);

const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

const A = object({ a: {} });

it.each<[string, JsonObject, string]>([
  ['a property', object({ publishConfig: A }), 'ItPublishConfig'],
  ['a key of several words', object({ 'io.example/dry-run': A }), 'ItIoExampleDryRun'],
  ['a key in another script', object({ größe: A }), 'ItGröße'],
  ['items', { type: 'array', items: A }, 'ItItem'],
  ['values', { type: 'object', additionalProperties: A }, 'ItValue'],
  ['values by pattern', { type: 'object', patternProperties: { '^x': A } }, 'ItValue'],
  ['the only object of a union', { anyOf: [{ type: 'string' }, A] }, 'ItObject'],
  [
    'a member that a literal tells from the others',
    { anyOf: [{ ...object({ kind: { const: 'big-one' } }), required: ['kind'] }, A] },
    'ItBigOne',
  ],
  ['another member', { oneOf: [A, object({ b: {} })] }, 'ItOption2'],
  ['a tuple', object({ pair: { type: 'array', prefixItems: [{}, {}] } }), 'ItPair'],
  ['a condition', object({ x: { type: 'string', not: { const: '' } } }), 'ItX'],
])('a part of %s gets a name from its place', (_, It, name) => {
  expect(namesOf({ It })).toContain(name);
});

it.each<[string, JsonObject]>([
  ['plain values', object({ a: { type: 'string', minLength: 1 }, b: { enum: ['x', 1] } })],
  ['lists and records of them', object({ a: { type: 'array', items: { type: 'number' } } })],
  ['any object', object({ a: { type: 'object' } })],
  ['what describes the same value', { allOf: [A, { minProperties: 1 }] }],
  ['conditions', { ...A, if: object({ a: A }), then: object({ a: A }), not: object({ b: A }) }],
])('%s stay in their place', (_, It) => {
  expect(namesOf({ It })).toEqual(['It']);
});

it('a part keeps its description, in its definition and in its place', () => {
  const [it, part] = partsOf({ It: object({ a: { ...A, description: 'An A.' } }) });
  expect(part).toMatchObject({ name: 'ItA', description: 'An A.' });
  expect(it?.node).toMatchObject({
    properties: [{ node: { kind: 'ref', name: 'ItA', description: 'An A.' } }],
  });
});

it('a definition keeps its name, also when a part would get it', () => {
  const names = namesOf({ It: object({ a: A, A }), ItA: { type: 'string' } });
  expect(names).toEqual(['It', 'ItA', 'ItA2', 'ItA3']);
});

const drawn = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom<JsonObject>({}, { type: 'string' }, { const: [1] }, { $ref: '#/$defs/It' }),
    fc.dictionary(fc.constantFrom('a', 'b c', 'ItA', '数据', '😀', ''), tie('schema')).map(object),
    tie('schema').map((items) => ({ type: 'array', items })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    tie('schema').map((each) => ({ allOf: [each, { minProperties: 1 }] })),
  ),
}));

it('every name is an identifier, and there once, and the parts put back are the whole', () => {
  fc.assert(
    fc.property(drawn.schema, (schema) => {
      const whole = protocolOf({ It: object({ top: schema }), ItTop: { type: 'null' } });
      const { definitions } = namedParts(whole);
      const byName = new Map(definitions.map((each) => [each.name, each]));
      expect(byName.size).toBe(definitions.length);
      for (const name of byName.keys())
        expect(name).toMatch(/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u);
      const own = new Set(whole.definitions.map(({ name }) => name));
      const put = (node: Node): Node =>
        mapNode(node, (inner) => {
          if (inner.kind !== 'ref' || own.has(inner.name)) return inner;
          return put(byName.get(inner.name)?.node ?? inner);
        });
      for (const { name, node } of whole.definitions) {
        expect(put(byName.get(name)?.node ?? { kind: 'any' })).toEqual(node);
      }
    }),
  );
});
