import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EventCutter, withData } from '../../generator/recording/proxy/events.js';
import type { StreamEvent } from '../../generator/recording/proxy/events.js';

const END = fc.constantFrom('\n', '\r\n', '\r');
const word = fc.stringMatching(/^[a-zé{":1 ]{0,12}$/);

/** An event as a server writes it, and what it says. */
const event = fc
  .record({ id: fc.option(word), name: fc.option(word), data: fc.array(word), end: END })
  .map(({ id, name, data, end }) => {
    const lines = [
      ...(id === null ? [] : [`id: ${id}`]),
      ...(name === null ? [] : [`event: ${name}`]),
      ...data.map((each) => `data: ${each}`),
      ': a comment',
    ];
    return {
      text: lines.map((line) => line + end).join('') + end,
      name: name || 'message',
      data: data.length === 0 ? undefined : data.join('\n'),
    };
  });

function cutInto(text: string, cuts: readonly number[]): StreamEvent[] {
  const bytes = Buffer.from(text);
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  );
  const cutter = new EventCutter(10_000);
  const parts = at.slice(1).flatMap((end, index) => cutter.push(bytes.subarray(at[index], end)));
  return [...parts, ...cutter.end()].filter((part) => 'raw' in part);
}

it('events are the same however their bytes come, and no byte is lost', () => {
  fc.assert(
    fc.property(fc.array(event), fc.array(fc.nat(), { maxLength: 20 }), (events, cuts) => {
      const text = events.map((each) => each.text).join('');
      const found = cutInto(text, cuts);
      expect(Buffer.concat(found.map(({ raw }) => raw)).toString()).toBe(text);
      expect(found.map(({ name, data }) => ({ name, data }))).toEqual(
        events.map(({ name, data }) => ({ name, data })),
      );
    }),
  );
});

it('an event that the end of the stream cuts keeps its bytes, and has no data', () => {
  const [found] = cutInto('id: 1\ndata: {"a"', []);
  expect(found?.raw.toString()).toBe('id: 1\ndata: {"a"');
  expect(found?.data).toBeUndefined();
});

it('an event at the end of the stream is whole after an empty line that ends with a carriage return', () => {
  const [found] = cutInto('data: {}\r\r', []);
  expect(found?.data).toBe('{}');
});

it('an event behind a comment that ends with a carriage return is found', () => {
  const [found] = cutInto(': x\rdata: {}\r\r\n\n', []);
  expect(found?.data).toBe('{}');
});

it('the byte order mark of a stream hides no data', () => {
  for (const marks of ['\uFEFF', '\uFEFF\uFEFF']) {
    const [found, second] = cutInto(`${marks}data: {}\n\n\uFEFFdata: 1\n\n`, [1]);
    expect(found).toMatchObject({ data: '{}', raw: Buffer.from('data: {}\n\n') });
    expect(second?.data).toBeUndefined();
  }
});

it('an event beyond the limit is not kept, and the next one is found', () => {
  const cutter = new EventCutter(10);
  const parts = cutter.push(Buffer.from(`data: ${'x'.repeat(100)}\n\ndata: y\n\n`));
  expect(parts).toEqual([{ tooLong: 108 }, expect.objectContaining({ data: 'y' })]);
});

it('an event with other data keeps its id and its name', () => {
  const [found] = cutInto('id: 7\nevent: message\ndata: a\ndata: b\n\n', []);
  const changed = found && withData(found, '{"x":"é"}');
  expect(changed?.toString()).toBe('id: 7\nevent: message\ndata: {"x":"é"}\n\n');
});
