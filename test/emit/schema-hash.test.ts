import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { schemaHash } from '../../generator/emit/support/schema-hash.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

it('is the SHA-256 of canonical JSON', () => {
  for (let length = 0; length < 300; length += 1) {
    const text = 'x'.repeat(length);
    expect(schemaHash(text)).toBe(sha256(`"${text}"`));
  }
  expect(schemaHash({ b: [1, { d: null, c: 2 }], a: 'x' })).toBe(
    sha256('{"a":"x","b":[1,{"c":2,"d":null}]}'),
  );
  expect(schemaHash('é\ud800\u{1f600}')).toBe(sha256('"\\u00e9\\ud800\\ud83d\\ude00"'));
  const large = 'x'.repeat(1_000_000);
  expect(schemaHash(large)).toBe(sha256(`"${large}"`));
});

it('does not depend on the order of keys, and differs for other schemas', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const turned = (value: unknown): unknown => {
        if (typeof value !== 'object' || value === null) return value;
        if (Array.isArray(value)) return value.map(turned);
        const entries = Object.entries(value).reverse();
        return Object.fromEntries(entries.map(([key, inner]) => [key, turned(inner)]));
      };
      expect(schemaHash(turned(one))).toBe(schemaHash(one));
      const same = JSON.stringify(turned(one)) === JSON.stringify(turned(other));
      if (!same)
        expect(schemaHash({ one, other })).not.toBe(schemaHash({ one: other, other: one }));
    }),
  );
});
