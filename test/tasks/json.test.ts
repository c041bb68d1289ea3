import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  base64Url,
  digest,
  encode,
  fitsIn,
  isObject,
  randomText,
  sameText,
} from '../../runtime/tasks/json.js';

const cycle: unknown[] = [];
cycle.push(cycle);

describe('a value as text', () => {
  it.each<[unknown, number, object]>([
    [{ a: 1 }, 7, { text: '{"a":1}' }],
    [{ a: 1 }, 6, { problem: 'too large', detail: '7 bytes, limit 6' }],
    ['ü', 4, { text: '"ü"' }],
    ['ü', 3, { problem: 'too large', detail: '4 bytes, limit 3' }],
    [undefined, 99, { problem: 'not JSON', detail: 'undefined is not JSON' }],
    [Symbol('a'), 99, { problem: 'not JSON', detail: 'symbol is not JSON' }],
    [1n, 99, { problem: 'not JSON', detail: 'it is a BigInt, which JSON does not have' }],
    [
      { a: [{ 'b/c': 1n }] },
      99,
      { problem: 'not JSON', detail: '/a/0/b~1c is a BigInt, which JSON does not have' },
    ],
    [
      { ok: 1, a: cycle },
      99,
      { problem: 'not JSON', detail: '/a/0 is a cycle: it contains itself' },
    ],
    [
      {
        get a() {
          throw new Error('shut');
        },
      },
      99,
      { problem: 'not JSON', detail: '/a cannot be read: shut' },
    ],
    [
      {
        toJSON() {
          // eslint-disable-next-line @typescript-eslint/only-throw-error -- getters of users may
          throw 'hostile';
        },
      },
      99,
      { problem: 'not JSON', detail: 'it cannot be read: unknown' },
    ],
  ])('is measured in bytes: %#', (value, most, expected) => {
    expect(encode(value, most)).toEqual(expected);
  });

  it('fits to the byte', () => {
    expect([fitsIn('', 0), fitsIn('abc', 9), fitsIn('abc', 3), fitsIn('abc', 2)]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect([fitsIn('€', 3), fitsIn('€', 2)]).toEqual([true, false]);
  });

  it('has one digest for equal values, and others for others', () => {
    const equal = [
      { a: 1, b: [{ c: 1, d: 2 }] },
      { b: [{ d: 2, c: 1 }], a: 1 },
    ].map(digest);
    expect(equal[0]).toBe(equal[1]);
    const others: unknown[] = [
      ...[[], {}, null, '', 0, [1, 2], [2, 1], [[1], 2], { a: 1 }, { a: 2 }, { b: 1 }, [['a', 1]]],
      ...[{ members: [['a', 1]] }, [{ a: 1 }], { a: { b: 1 } }, { a: [{ b: 1 }] }],
    ];
    expect(new Set(others.map(digest)).size).toBe(others.length);
    expect(digest({})).toMatch(/^[\w-]{43}$/);
  });

  it.each([
    [{}, true],
    [[], false],
    [null, false],
    ['', false],
    [undefined, false],
  ])('is told to be an object: %j is %s', (value, expected) => {
    expect(isObject(value)).toBe(expected);
  });

  it('is compared whole', () => {
    const text = fc.string({ maxLength: 3, unit: fc.constantFrom('a', 'b') });
    fc.assert(
      fc.property(text, text, (given, expected) => {
        expect(sameText(given, expected)).toBe(given === expected);
      }),
      {
        examples: [
          ['ab', 'ba'],
          ['a', 'ab'],
          ['', ''],
          ['ba', 'aa'],
          ['ab', 'aa'],
        ],
      },
    );
  });

  it('at random has so many bytes, and never the same', () => {
    const texts = Array.from({ length: 20 }, () => randomText(18));
    expect(new Set(texts).size).toBe(20);
    for (const each of texts) expect(Buffer.from(each, 'base64url')).toHaveLength(18);
    expect(base64Url(Uint8Array.from([0xfb, 0xff, 0xfe, 0]))).toBe('-__-AA');
  });
});
