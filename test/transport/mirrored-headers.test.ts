import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  decodedHeader,
  encodedHeader,
  headerText,
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
    [-1.5, '-1.5'],
    [2 ** 53, undefined],
    [NaN, undefined],
    [null, undefined],
    [{}, undefined],
  ])('is of %j the text %j', (value, text) => {
    expect(headerText(value)).toBe(text);
  });
});
