import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  decodedHeader,
  encodedHeader,
  headerText,
  isAscii,
  mirroredParams,
} from '../../runtime/peer/wire/mirrored-headers.js';

const SENTINEL = fc.string().map((text) => `=?base64?${text}?=`);
/** Unicode texts, and those that look like encoded ones. */
const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), SENTINEL);

describe('what a header repeats of a message', () => {
  it('is read as it was written, and HTTP passes it on unchanged', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const value = encodedHeader(text);
        expect(new Headers({ 'x-value': value }).get('x-value')).toBe(value);
        expect(decodedHeader(value)).toBe(text);
      }),
    );
  });

  it.each(['=?base64?a?=', '=?base64?====?=', '=?base64?gA==?='])(
    'is not read from %s, which is no Base64 of UTF-8',
    (value) => {
      expect(decodedHeader(value)).toBeUndefined();
    },
  );

  it.each(['ü', 'a\u0000', 'a\u007f'])('is not read from %j, which is no ASCII', (value) => {
    expect(decodedHeader(value)).toBeUndefined();
  });

  it.each([
    ['x', 'x'],
    [true, 'true'],
    [false, 'false'],
    ['', ''],
    [0, '0'],
    [-1.5, '-1.5'],
    [2 ** 53 - 1, '9007199254740991'],
    [2 ** 53, undefined],
    [-(2 ** 53), undefined],
    [NaN, undefined],
    [Infinity, undefined],
    [undefined, undefined],
    [null, undefined],
    [{}, undefined],
  ])('is of %j the text %j', (value, text) => {
    expect(headerText(value)).toBe(text);
  });

  it.each([
    ['a b', 'a b'],
    ['a\tb', 'a\tb'],
    ['~', '~'],
    ['=?base64?=', '=?base64?='],
    ['=?base64?a', '=?base64?a'],
    ['a?=', 'a?='],
    ['', '=?base64??='],
    [' a', '=?base64?IGE=?='],
    ['a ', '=?base64?YSA=?='],
    ['ü', '=?base64?w7w=?='],
    ['=?base64??=', '=?base64?PT9iYXNlNjQ/Pz0=?='],
    ['=?base64?YQ==?=', '=?base64?PT9iYXNlNjQ/WVE9PT89?='],
  ])('writes %j as %j', (text, value) => {
    expect(encodedHeader(text)).toBe(value);
    expect(decodedHeader(value)).toBe(text);
  });

  it.each([
    ['', true],
    ['\t ~', true],
    ['\n', false],
    ['\u007f', false],
    ['ü', false],
  ])('%j is read alike by every reader: %s', (value, expected) => {
    expect(isAscii(value)).toBe(expected);
  });
});

describe('the arguments that headers repeat', () => {
  const text = (header: unknown): object => ({ type: 'string', 'x-mcp-header': header });
  const object = (properties: object): object => ({ type: 'object', properties });

  it('are found by their places, also in objects', () => {
    const schema = object({
      plain: { type: 'string' },
      region: text('Region'),
      inner: object({ count: { type: 'integer', 'x-mcp-header': 'Count' } }),
      sure: { type: 'boolean', 'x-mcp-header': '!#$%&*+-.^_`|~09AZaz' },
    });
    const { mirrored, fault } = mirroredParams(schema);
    expect(fault).toBeUndefined();
    expect([...mirrored].sort((a, b) => (a.header < b.header ? -1 : 1))).toEqual([
      { header: '!#$%&*+-.^_`|~09AZaz', path: ['sure'] },
      { header: 'Count', path: ['inner', 'count'] },
      { header: 'Region', path: ['region'] },
    ]);
  });

  it.each<[string, object]>([
    ['a tool without any', object({ plain: { type: 'string' } })],
    ['an example of a value', object({ a: { type: 'object', examples: [text('A')] } })],
    ['a default', object({ a: { type: 'object', default: text('A') } })],
    ['a constant', object({ a: { const: text('A') } })],
    ['a choice', object({ a: { enum: [text('A')] } })],
    ['a property of that name', object({ a: object({ 'x-mcp-header': { type: 'string' } }) })],
  ])('are none in %s', (_, schema) => {
    expect(mirroredParams(schema)).toEqual({ mirrored: [] });
  });

  const ONLY_PROPERTIES = 'x-mcp-header is allowed for properties only';
  it.each<[string, object, string]>([
    ['the schema itself', text('A'), ONLY_PROPERTIES],
    ['the items of a list', object({ a: { type: 'array', items: text('A') } }), ONLY_PROPERTIES],
    ['a definition', { ...object({}), $defs: { a: text('A') } }, ONLY_PROPERTIES],
    ['a part of a choice', object({ a: { anyOf: [object({ b: text('A') })] } }), ONLY_PROPERTIES],
    ['no text', object({ a: text(7) }), 'x-mcp-header 7 is not a name of a header'],
    ['an empty name', object({ a: text('') }), 'x-mcp-header "" is not a name of a header'],
    ['a space', object({ a: text('a b') }), 'x-mcp-header "a b" is not a name of a header'],
    [
      'a number',
      object({ a: { type: 'number', 'x-mcp-header': 'A' } }),
      'x-mcp-header A is for a string, an integer or a boolean only',
    ],
    [
      'a value of any type',
      object({ a: { 'x-mcp-header': 'A' } }),
      'x-mcp-header A is for a string, an integer or a boolean only',
    ],
    [
      'one name in two spellings',
      object({ a: text('Region'), b: text('REGION') }),
      'x-mcp-header Region is declared twice',
    ],
  ])('are all left out for a declaration on %s', (_, schema, fault) => {
    expect(mirroredParams(schema)).toEqual({ mirrored: [], fault });
  });

  it('are left out of a schema with more values than allowed', () => {
    // Three values: the type, the property, and its type.
    const schema = object({ a: { type: 'string' } });
    expect(mirroredParams(schema, 3)).toEqual({ mirrored: [] });
    expect(mirroredParams(schema, 2)).toEqual({
      mirrored: [],
      fault: 'its input schema is too large',
    });
  });
});
