import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bytesOf,
  indexOfBytes,
  joined,
  textIn,
  textInBase64,
} from '../../contracts/validate/bytes.js';

// Few values, so that a part of the bytes often occurs in them.
const bytes = fc.uint8Array({ max: 3, maxLength: 40 });

test('finds bytes as Buffer does', () => {
  fc.assert(
    fc.property(
      bytes,
      fc.uint8Array({ max: 3, minLength: 1, maxLength: 4 }),
      fc.nat(40),
      (all, wanted, from) => {
        expect(indexOfBytes(all, wanted, from)).toBe(Buffer.from(all).indexOf(wanted, from));
      },
    ),
  );
});

test('reads and writes UTF-8 as Buffer does, also what is not UTF-8', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(20), (all, start) => {
      expect(textIn(all, start)).toBe(
        Buffer.from(all).toString('utf8', Math.min(start, all.length)),
      );
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect([...bytesOf(`\ufeff${text}`)]).toEqual([...Buffer.from(`\ufeff${text}`)]);
      expect(textIn(Buffer.from(`\ufeff${text}`))).toBe(Buffer.from(`\ufeff${text}`).toString());
    }),
  );
  expect([...joined([bytesOf('a'), bytesOf(''), bytesOf('bc')])]).toEqual([97, 98, 99]);
});

test.each(['base64', 'base64url'] as const)('reads %s as Buffer does', (encoding) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (all) => {
      const encoded = Buffer.from(all).toString(encoding);
      expect(textInBase64(encoded)).toBe(Buffer.from(all).toString());
      expect(textInBase64(encoded.replace(/.{7}/g, '$&\r\n'))).toBe(Buffer.from(all).toString());
    }),
  );
  for (const damaged of ['a', 'QUJ', 'QUJD\u00e9!RA', '====']) {
    expect(textInBase64(damaged)).toBe(Buffer.from(damaged, 'base64').toString());
  }
});
