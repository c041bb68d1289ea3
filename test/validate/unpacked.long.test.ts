import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { expect, it } from 'vitest';
import { brief, validatePieces } from './support.js';

it('gzip that unpacks to far more than its size is not unpacked to its end', async () => {
  const packer = createGzip();
  const blank = Buffer.alloc(1024 * 1024, 10);
  const bomb = Readable.from(Array.from({ length: 600 }, () => blank)).pipe(packer);
  const pieces = (await bomb.toArray()) as Uint8Array[];
  const outcome = await validatePieces(pieces);
  expect(brief(outcome)).toEqual(['1 bad-gzip ']);
  expect(outcome.findings[0]?.message).toContain('unpack it yourself');
});
