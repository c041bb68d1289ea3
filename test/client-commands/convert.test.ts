import { expect, it } from 'vitest';
import { convertTexts } from '../../cli/client/convert.js';

const schema = {
  $defs: { Limit: { type: 'integer' }, Loop: { $ref: '#/$defs/Loop' } },
  properties: {
    limit: { $ref: '#/$defs/Limit' },
    ratio: { type: 'number' },
    flag: { type: 'boolean' },
    name: { type: 'string' },
    either: { type: ['string', 'number'] },
    size: { enum: [1, 2, 3] },
    list: { type: 'array' },
    maybe: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    every: { allOf: [{ $ref: '#/properties/limit' }, { minimum: 1 }] },
    loop: { $ref: '#/$defs/Loop' },
    anything: {},
    never: false,
  },
};

it.each([
  ['limit', '5', 5],
  ['limit', '5.5', '5.5'],
  ['limit', 'five', 'five'],
  // JSON has the number, and JavaScript another one.
  ['limit', '9007199254740993', '9007199254740993'],
  ['limit', '-9007199254740992', -9007199254740992],
  ['ratio', '1e400', '1e400'],
  ['ratio', '1e21', 1e21],
  ['every', '5', 5],
  ['ratio', '5', 5],
  ['ratio', '-0.5e3', -500],
  ['flag', 'true', true],
  ['flag', 'yes', 'yes'],
  ['name', '5', '5'],
  ['either', '5', '5'],
  ['size', '2', 2],
  ['list', '[1,2]', [1, 2]],
  ['list', '1,2', '1,2'],
  ['maybe', 'null', null],
  ['loop', '5', '5'],
  ['anything', '5', '5'],
  ['never', '5', '5'],
  ['unknown', '5', '5'],
  ['__proto__', '5', '5'],
])('%s=%s is %j', (name, text, value) => {
  const texts = Object.fromEntries([[name, text]]);
  expect(Object.entries(convertTexts(texts, schema))).toEqual([[name, value]]);
});

it('reads a schema once, however often it is named', () => {
  const names = Array.from({ length: 10 }, (_, level) => `L${level}`);
  const wide = (name: string): object => ({
    anyOf: Array.from({ length: 50 }, () => ({ $ref: `#/$defs/${name}` })),
  });
  const $defs = {
    ...Object.fromEntries(names.map((name, level) => [name, wide(names[level + 1] ?? 'End')])),
    End: { type: 'integer' },
  };
  expect(convertTexts({ a: '5' }, { properties: { a: { $ref: '#/$defs/L0' } }, $defs })).toEqual({
    a: 5,
  });
});

it('leaves texts as they are when the schema is too large to read', () => {
  const anyOf = Array.from({ length: 100_000 }, () => ({ type: 'integer' }));
  expect(convertTexts({ a: '5' }, { properties: { a: { anyOf } } })).toEqual({ a: '5' });
});

it.each([undefined, null, true, 5, {}, { properties: null }, { properties: [] }])(
  'leaves texts as they are with the schema %j',
  (none) => {
    expect(convertTexts({ a: '5' }, none)).toEqual({ a: '5' });
  },
);
