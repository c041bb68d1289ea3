import { describe, expect, it } from 'vitest';
import { diffProtocols } from '../../generator/diff/index.js';
import type { Change } from '../../generator/diff/index.js';
import type { JsonSchema } from '../../json-schema/index.js';
import { protocol } from './protocols.js';

function changes(before: JsonSchema, after: JsonSchema, others = {}): readonly Change[] {
  const diff = diffProtocols(
    protocol({ ...others, Thing: before }),
    protocol({ ...others, Thing: after }),
  );
  return diff.definitions.changed[0]?.changes ?? [];
}

const object = (
  properties: Record<string, JsonSchema>,
  required: string[] = [],
  more: Record<string, JsonSchema> = {},
): JsonSchema => ({ type: 'object', properties, required, ...more });

const text: JsonSchema = { type: 'string' };
const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });

describe('a change breaks', () => {
  it.each<[string, JsonSchema, JsonSchema, Partial<Change>]>([
    [
      'senders when a required property is added',
      object({}),
      object({ a: text }, ['a']),
      { path: 'a', kind: 'added', breaks: ['sender'] },
    ],
    [
      'no side when an optional property is added',
      object({}),
      object({ a: text }),
      { path: 'a', kind: 'added', breaks: [] },
    ],
    [
      'receivers when a property is added to an object that was closed',
      object({}, [], { additionalProperties: false }),
      object({ a: text }, [], { additionalProperties: false }),
      { path: 'a', kind: 'added', breaks: ['receiver'] },
    ],
    [
      'receivers when a property is added that the typed rest did not allow',
      object({}, [], { additionalProperties: { type: 'number' } }),
      object({ a: text }, [], { additionalProperties: { type: 'number' } }),
      { path: 'a', kind: 'added', breaks: ['receiver'] },
    ],
    [
      'receivers when a required property is removed',
      object({ a: text }, ['a']),
      object({}),
      { path: 'a', kind: 'removed', breaks: ['receiver'] },
    ],
    [
      'no side when an optional property is removed from an open object',
      object({ a: text }),
      object({}),
      { path: 'a', kind: 'removed', breaks: [] },
    ],
    [
      'senders when a property is removed from a closed object',
      object({ a: text }, [], { additionalProperties: false }),
      object({}, [], { additionalProperties: false }),
      { path: 'a', kind: 'removed', breaks: ['sender'] },
    ],
    [
      'senders when a property becomes required',
      object({ a: text }),
      object({ a: text }, ['a']),
      { path: 'a', kind: 'now-required', breaks: ['sender'] },
    ],
    [
      'receivers when a property becomes optional',
      object({ a: text }, ['a']),
      object({ a: text }),
      { path: 'a', kind: 'now-optional', breaks: ['receiver'] },
    ],
    [
      'senders when an object is closed',
      object({}),
      object({}, [], { additionalProperties: false }),
      { path: '*', kind: 'changed', breaks: ['sender'] },
    ],
    [
      'receivers when a type gets wider',
      object({ a: { type: 'integer' } }),
      object({ a: { type: 'number' } }),
      { path: 'a', kind: 'changed', before: 'integer', after: 'number', breaks: ['receiver'] },
    ],
    [
      'senders when a type gets narrower',
      object({ a: { type: 'array', items: text } }),
      object({ a: { type: 'array', items: text, maxItems: 9 } }),
      { path: 'a', kind: 'changed', breaks: ['sender'] },
    ],
    [
      'both when a type is another',
      object({ a: text }),
      object({ a: { type: 'number' } }),
      { path: 'a', kind: 'changed', breaks: ['sender', 'receiver'] },
    ],
    [
      'receivers when an enumeration gains a value',
      { enum: ['a', 'b'] },
      { enum: ['a', 'b', 'c'] },
      { path: '', kind: 'added', after: '"c"', breaks: ['receiver'] },
    ],
    [
      'senders when an enumeration loses a value',
      { enum: ['a', 'b'] },
      { enum: ['a'] },
      { path: '', kind: 'removed', before: '"b"', breaks: ['sender'] },
    ],
    [
      'no side, because the same values are valid, when a value is added that a string covered before',
      { anyOf: [{ type: 'number' }, { type: 'string' }] },
      { anyOf: [{ type: 'number' }, { type: 'string' }, { const: 'a' }] },
      { path: '', kind: 'restated', breaks: [] },
    ],
    [
      'receivers when items change within an array',
      object({ a: { type: 'array', items: object({ b: text }, ['b']) } }),
      object({ a: { type: 'array', items: object({ b: text }) } }),
      { path: 'a[].b', kind: 'now-optional', breaks: ['receiver'] },
    ],
    [
      'senders when a number has an exclusive limit',
      object({ a: { type: 'number' } }),
      object({ a: { type: 'number', exclusiveMinimum: 0 } }),
      { path: 'a', kind: 'changed', after: 'number (> 0)', breaks: ['sender'] },
    ],
    [
      'senders when a number is a multiple',
      object({ a: { type: 'integer' } }),
      object({ a: { type: 'integer', multipleOf: 5 } }),
      { path: 'a', kind: 'changed', after: 'integer (multiple of 5)', breaks: ['sender'] },
    ],
    [
      'senders when all items differ',
      object({ a: { type: 'array', items: text } }),
      object({ a: { type: 'array', items: text, uniqueItems: true } }),
      { path: 'a', kind: 'changed', after: 'string[] (all different)', breaks: ['sender'] },
    ],
    [
      'senders when more items have to match',
      object({ a: { type: 'array', contains: text } }),
      object({ a: { type: 'array', contains: text, minContains: 2 } }),
      {
        path: 'a',
        kind: 'changed',
        before: 'unknown[] (contains string)',
        after: 'unknown[] (contains ≥ 2 of string)',
        breaks: ['sender'],
      },
    ],
    [
      'both when the first items are others',
      object({ a: { type: 'array', prefixItems: [text] } }),
      object({ a: { type: 'array', prefixItems: [{ type: 'number' }] } }),
      {
        path: 'a',
        kind: 'changed',
        after: 'unknown[] (first number)',
        breaks: ['sender', 'receiver'],
      },
    ],
    [
      'both when a pattern limits keys',
      object({ a: text }, [], { additionalProperties: text }),
      object({ a: text }, [], {
        additionalProperties: text,
        patternProperties: { '^x': { type: 'null' } },
      }),
      { path: '*', kind: 'changed', breaks: ['sender', 'receiver'] },
    ],
    [
      'senders when an object has fewer keys at most',
      object({ a: text }),
      { type: 'object', properties: { a: text }, maxProperties: 1 },
      { path: '*', kind: 'changed', after: '{} (keys ≤ 1)', breaks: ['sender'] },
    ],
    [
      'no side when only a default changes',
      object({ a: { type: 'number', default: 1 } }),
      object({ a: { type: 'number', default: 2 } }),
      { path: 'a', kind: 'default', before: '1', after: '2', breaks: [] },
    ],
  ])('%s', (_, before, after, expected) => {
    const found = changes(before, after);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject(expected);
  });

  it('no side when a reference replaces an equal type', () => {
    const shared = { Inner: object({ b: text }, ['b']) };
    expect(
      changes(object({ a: object({ b: text }, ['b']) }), object({ a: ref('Inner') }), shared),
    ).toMatchObject([{ path: 'a', kind: 'restated', after: 'Inner', breaks: [] }]);
  });

  it('no side when members of a union change their order', () => {
    const shared = { A: object({ a: text }, ['a']), B: object({ b: text }, ['b']) };
    const before = { anyOf: [ref('A'), ref('B')] } as JsonSchema;
    const after = { anyOf: [ref('B'), ref('A')] } as JsonSchema;
    expect(changes(before, after, shared)).toMatchObject([{ kind: 'restated', breaks: [] }]);
  });

  it('no side when unknown is spelt out as any JSON', () => {
    const shared: Record<string, JsonSchema> = {
      Json: {
        anyOf: [
          { type: ['string', 'number', 'boolean', 'null'] },
          { type: 'array', items: ref('Json') },
          { type: 'object', additionalProperties: ref('Json') },
        ],
      },
    };
    const before = object({}, [], { additionalProperties: {} });
    const after = object({}, [], { additionalProperties: ref('Json') });
    expect(changes(before, after, shared)).toMatchObject([{ path: '*', kind: 'restated' }]);
  });

  it('the sides of each field when a different reference replaces an object', () => {
    const shared = { Inner: object({ b: text, c: text }, ['b', 'c']) };
    expect(
      changes(object({ a: object({ b: text }, ['b']) }), object({ a: ref('Inner') }), shared),
    ).toMatchObject([{ path: 'a.c', kind: 'added', breaks: ['sender'] }]);
  });
});

it('ignores descriptions', () => {
  expect(changes({ type: 'string', description: 'a' }, { type: 'string' })).toEqual([]);
});

it('quotes property names that are not identifiers', () => {
  const [change] = changes(object({}), object({ 'x/\u001b[31m': text }));
  expect(change?.path).toBe(String.raw`"x/\u001b[31m"`);
});

it('compares 30 references that each branch in two without 2^30 steps', () => {
  const chain = (letter: string, last: JsonSchema): Record<string, JsonSchema> =>
    Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => {
        const next = index === 29 ? last : ref(`${letter}${String(index + 1)}`);
        return [`${letter}${String(index)}`, object({ a: next, b: next })];
      }),
    );
  const shared = { ...chain('A', text), ...chain('B', { type: 'number' }) };
  const found = changes(object({ a: ref('A0') }), object({ a: ref('B0') }), shared);
  expect(found.some(({ breaks }) => breaks.length === 2)).toBe(true);
});

it('a constant changes when only its "pointer" or "description" does', () => {
  for (const key of ['pointer', 'description']) {
    expect(changes({ const: { [key]: 'a' } }, { const: { [key]: 'b' } }), key).not.toEqual([]);
    expect(changes({ const: { [key]: 'a' } }, { const: { [key]: 'a' } }), key).toEqual([]);
  }
});
