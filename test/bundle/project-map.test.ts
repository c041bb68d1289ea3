import { decode, encode } from '@jridgewell/sourcemap-codec';
import fc from 'fast-check';
import { expect, it } from 'vitest';

import { mapOf } from '../../runtime/program/bundle/project-map.js';

const SOURCES = ['src/a.ts', 'node_modules/b.js', 'src/c.ts'];
const isOwn = (source: string): boolean => source.startsWith('src/');
const number = fc.nat({ max: 100_000 });
const line = fc
  .uniqueArray(fc.tuple(number, fc.nat({ max: SOURCES.length - 1 }), number, number), {
    selector: ([column]) => column,
  })
  .map((segments) => segments.sort(([a], [b]) => a - b));

it('keeps the positions of the wanted sources, and no other', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), (lines) => {
      const mappings = encode(lines);
      const map = mapOf(JSON.stringify({ version: 3, sources: SOURCES, mappings }), isOwn);
      const read = JSON.parse(map) as { sources: string[]; mappings: string };
      expect(read.sources).toEqual(['src/a.ts', 'src/c.ts']);
      const found = decode(read.mappings).map((segments) =>
        segments.flatMap(([column, source, ...place]) =>
          source === undefined
            ? []
            : [[column, SOURCES.indexOf(read.sources[source] ?? ''), ...place]],
        ),
      );
      const own = lines.map((segments) =>
        segments.filter(([, source]) => isOwn(SOURCES[source] ?? '')),
      );
      expect(found).toEqual(own);
    }),
  );
});

it('gives code after a source no position of that', () => {
  const mappings = encode([
    [
      [0, 0, 0, 0],
      [10, 1, 0, 0],
    ],
  ]);
  const map = mapOf(JSON.stringify({ version: 3, sources: SOURCES, mappings }), isOwn);
  const read = JSON.parse(map) as { mappings: string };
  expect(decode(read.mappings)).toEqual([[[0, 0, 0, 0], [10]]]);
});
