import { expect, it } from 'vitest';
import { JsonDocument } from '../../cli/main.js';
import type { Stream } from '../../cli/io.js';
import { Progress } from '../../cli/progress.js';
import { PLAIN } from '../../generator/diagnostics/index.js';

function streamInto(written: string[], canRedraw: boolean): Stream {
  return {
    write: (text) => written.push(text),
    paint: PLAIN,
    width: 20,
    canRedraw,
    drained: () => Promise.resolve(),
  };
}

it('draws one line on a terminal within its width, rarely, and removes it', () => {
  const written: string[] = [];
  const progress = new Progress(streamInto(written, true));
  progress.clear();
  progress.show(() => 'a\u001b[2J.jsonl: 12345678901234567890');
  progress.show(() => 'too soon');
  progress.clear();
  progress.clear();
  expect(written).toEqual(['a\\u001b[2J.jsonl: 1', '\r\u001b[K']);
});

it('draws nothing without a terminal', () => {
  const written: string[] = [];
  const progress = new Progress(streamInto(written, false));
  progress.show(() => 'reading');
  progress.clear();
  expect(written).toEqual([]);
});

it.each<[string, object[], object]>([
  [
    'items',
    [{ a: [1] }, { b: { c: '\u009b\n' } }],
    { schemaVersion: 1, list: [{ a: [1] }, { b: { c: '\u009b\n' } }], end: true },
  ],
  ['no items', [], { schemaVersion: 1, list: [], end: true }],
])('writes one document with %s', (_, items, expected) => {
  const written: string[] = [];
  const document = new JsonDocument(streamInto(written, false));
  document.list = 'list';
  for (const item of items) document.add(item);
  document.end({ end: true });
  const text = written.join('');
  expect(JSON.parse(text)).toEqual(expected);
  expect(text).toBe(`${JSON.stringify(expected, null, 2).replace('\u009b', '\\u009b')}\n`);
});
