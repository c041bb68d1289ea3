import { describe, expect, it } from 'vitest';
import {
  anyObject,
  at,
  beginningOf,
  isObject,
  isTooDeep,
  kindOf,
  member,
  MOST_LEVELS,
} from '../../../runtime/peer/wire/json.js';

it.each([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  [undefined, false],
  ['text', false],
  [7, false],
])('of %j it is %s that it is an object', (value, expected) => {
  expect(isObject(value)).toBe(expected);
});

it('members are own ones alone, whatever their names', () => {
  const inherits = Object.create({ inherited: 1 }) as object;
  expect(member({ a: 0 }, 'a')).toBe(0);
  expect(member({}, 'toString')).toBeUndefined();
  expect(member(inherits, 'inherited')).toBeUndefined();
  expect(member([1], '0')).toBeUndefined();
  expect(member('text', 'length')).toBeUndefined();
  expect(member(JSON.parse('{"__proto__":1}'), '__proto__')).toBe(1);
});

it('a path leads through objects, and nowhere else', () => {
  const value = { a: { b: [{ c: 1 }], d: null } };
  expect(at(value, [])).toBe(value);
  expect(at(value, ['a', 'd'])).toBeNull();
  expect(at(value, ['a', 'b', '0'])).toBeUndefined();
  expect(at(value, ['a', 'd', 'e'])).toBeUndefined();
});

it('the schema for the SDK takes objects as they are, and nothing else', () => {
  const { version, vendor, validate } = anyObject['~standard'];
  const given = { a: 1 };
  expect([version, vendor]).toEqual([1, 'mcp-codegen']);
  expect(validate(given)).toEqual({ value: given });
  expect(validate([])).toEqual({ issues: [{ message: 'Expected an object' }] });
});

describe('JSON', () => {
  const nested = (levels: number, open: string, close: string): string =>
    open.repeat(levels) + close.repeat(levels);
  const lists = (levels: number): string => nested(levels, '[', ']');
  const long = 'x'.repeat(3 * MOST_LEVELS);

  it.each<[string, string, boolean]>([
    ['500 lists', lists(500), false],
    ['501 lists', lists(501), true],
    ['500 lists with a long text', `[${JSON.stringify(long)},${lists(499)}]`, false],
    ['501 lists with a long text', `[${JSON.stringify(long)},${lists(500)}]`, true],
    ['501 objects', nested(501, '{"a":', '}').replace(':}', ':1}'), true],
    ['500 objects', nested(500, '{"a":', '}').replace(':}', ':1}'), false],
    ['251 objects in 250 lists', nested(250, '[', '') + nested(251, '{"a":', '}') + ']', true],
    ['1,000 lists side by side', `[${'[],'.repeat(1_000)}0]`, false],
    ['500 lists behind others', `[${'[],'.repeat(9)}${lists(499)}]`, false],
    ['501 lists behind others', `[${'[],'.repeat(9)}${lists(500)}]`, true],
    ['501 lists behind objects', `[${'{},'.repeat(9)}${lists(500)}]`, true],
    ['1,000 objects side by side', `[${'{},'.repeat(1_000)}0]`, false],
    ['brackets in a text', JSON.stringify('['.repeat(2_000)), false],
    ['brackets behind an escaped quote', JSON.stringify(`"${'[{'.repeat(1_000)}`), false],
    ['a text that ends with a backslash', `["\\\\",${lists(500)}]`, true],
    ['a text that ends with two backslashes', `["\\\\\\\\",${lists(500)}]`, true],
    ['a text that ends with an escaped quote', `["\\\\\\"",${lists(500)}]`, true],
    ['closing brackets in a text', `["${']'.repeat(9)}",${lists(500)}]`, true],
    ['an empty text', `["",${lists(500)}]`, true],
  ])('with %s', (_, text, expected) => {
    expect(isTooDeep(text)).toBe(expected);
  });
});

it('of a text of the other side an error shows 200 characters', () => {
  expect(beginningOf('x'.repeat(200))).toBe('x'.repeat(200));
  expect(beginningOf(`${'x'.repeat(200)}y`)).toBe(`${'x'.repeat(200)}…`);
});

it.each([
  [undefined, 'undefined'],
  [null, 'null'],
  ['', 'an empty text'],
  ['secret', 'a string'],
  [7, 'a number'],
  [false, 'a boolean'],
  [['secret'], 'a list of other values'],
  [{ secret: 1 }, 'an object'],
])('%j is named by its kind: %s', (value, expected) => {
  expect(kindOf(value)).toBe(expected);
});
