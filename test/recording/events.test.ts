import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eventReader } from '../../runtime/transport/reading/events.js';

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
      events: data.length === 0 ? [] : [[name || 'message', data.join('\n')]],
    };
  });

/** The events in bytes that come in parts, and the beginnings of those that are too long. */
function cutInto(text: string, cuts: readonly number[], most = 10_000): unknown[] {
  const bytes = Buffer.from(text);
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  );
  const found: unknown[] = [];
  const take = eventReader(most, {
    event: ({ type, data }) => found.push([type, Buffer.from(data).toString()]),
    id: () => undefined,
    retry: () => undefined,
    tooLong: (begun) => found.push(Buffer.from(begun).toString()),
  });
  for (const [index, end] of at.slice(1).entries()) take(bytes.subarray(at[index], end));
  return found;
}

it('events are the same however their bytes come', () => {
  fc.assert(
    fc.property(fc.array(event), fc.array(fc.nat(), { maxLength: 20 }), (events, cuts) => {
      const text = events.map((each) => each.text).join('');
      expect(cutInto(text, cuts)).toEqual(events.flatMap((each) => each.events));
    }),
  );
});

it.each([
  ['that the end of the stream cuts is none', 'id: 1\ndata: {"a"', []],
  ['at the end of the stream is whole after a carriage return', 'data: {}\r\r', ['{}']],
  ['behind a comment that ends with a carriage return is found', ': x\rdata: {}\r\r\n\n', ['{}']],
  ['behind a byte order mark is found', '\uFEFFdata: {}\n\n\uFEFFdata: 1\n\n', ['{}']],
])('an event %s', (_, text, data) => {
  expect(cutInto(text, [1])).toEqual(data.map((each) => ['message', each]));
});

it('an event beyond the limit is left out, and the next one is found', () => {
  for (const long of [`data: ${'x'.repeat(100)}\n`, 'data: xxxx\n'.repeat(20)]) {
    const text = `${long}data: z\nid: 1\n\ndata: y\n\n`;
    const [begun, ...others] = cutInto(text, [40], 16);
    expect(begun).toMatch(/^x{4,}/);
    expect(others).toEqual([['message', 'y']]);
  }
});
