import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { base64Url, byteLength, fitsIn } from '../../runtime/tasks/json.js';
import { hmacSha256, sha256 } from '../../runtime/tasks/sha256.js';

const bytes = fc.uint8Array({ maxLength: 300 });
/** Around the blocks of 64 bytes, the last of which has room for 55. */
const EDGES = [0, 1, 55, 56, 63, 64, 65, 119, 120, 128];
const ofLength = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => (7 * at + length) % 256);

describe('bytes', () => {
  it('have the SHA-256 that Node computes', () => {
    fc.assert(
      fc.property(bytes, (message) => {
        const expected = createHash('sha256').update(message).digest();
        expect(Buffer.from(sha256(message))).toEqual(expected);
      }),
    );
  });

  it('have the HMAC that Node computes', () => {
    fc.assert(
      fc.property(bytes, bytes, (key, message) => {
        const expected = createHmac('sha256', key).update(message).digest();
        expect(Buffer.from(hmacSha256(key)(message))).toEqual(expected);
      }),
    );
  });

  it('have them at the edges of blocks too, and with a length of more than three bytes', () => {
    for (const length of [...EDGES, 2 ** 21 + 1]) {
      const message = ofLength(length);
      const expected = createHash('sha256').update(message).digest();
      expect(Buffer.from(sha256(message))).toEqual(expected);
    }
    for (const [key, length] of EDGES.flatMap((each) =>
      EDGES.map((other) => [each, other] as const),
    )) {
      const message = ofLength(length);
      const expected = createHmac('sha256', ofLength(key)).update(message).digest();
      expect(Buffer.from(hmacSha256(ofLength(key))(message))).toEqual(expected);
    }
  });

  it('have the base64url that Node writes', () => {
    fc.assert(
      fc.property(bytes, (all) => {
        expect(base64Url(all)).toBe(Buffer.from(all).toString('base64url'));
      }),
    );
  });

  it('of a text are counted as Node counts them', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, fc.nat(40), (each, max) => {
        expect(byteLength(each)).toBe(Buffer.byteLength(each));
        expect(fitsIn(each, max)).toBe(Buffer.byteLength(each) <= max);
      }),
    );
  });
});
