import { expect, it } from 'vitest';
import {
  anyObject,
  at,
  beginningOf,
  isObject,
  kindOf,
  member,
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
