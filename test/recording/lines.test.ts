import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineCutter } from '../../runtime/transport/reading/lines.js';

/** Bytes with many ends of lines, and where they are cut. */
const input = fc.record({
  bytes: fc
    .array(fc.oneof(fc.constantFrom(0x0a, 0x0d, 0x7b), fc.nat(255)), { maxLength: 200 })
    .map((bytes) => Buffer.from(bytes)),
  cuts: fc.array(fc.nat(200), { maxLength: 10 }),
});

function pieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length];
  const sorted = at.sort((a, b) => a - b);
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
}

it('lines are the same however their bytes come', () => {
  fc.assert(
    fc.property(input, ({ bytes, cuts }) => {
      const cutter = new LineCutter(1_000);
      const lines = [
        ...pieces(bytes, cuts).flatMap((piece) => cutter.push(piece)),
        ...cutter.end(),
      ];
      const expected = bytes.toString('latin1').split('\n');
      const whole = expected.slice(0, -1).map((text) => [text, true]);
      const last = expected.at(-1) ?? '';
      expect(
        lines.map((line) =>
          'bytes' in line ? [Buffer.from(line.bytes).toString('latin1'), line.isWhole] : [],
        ),
      ).toEqual(last === '' ? whole : [...whole, [last, false]]);
    }),
  );
});

it('a line beyond the limit is counted, and the next one is found', () => {
  fc.assert(
    fc.property(input, fc.integer({ min: 1, max: 20 }), ({ bytes, cuts }, most) => {
      const cutter = new LineCutter(most);
      const lines = [
        ...pieces(bytes, cuts).flatMap((piece) => cutter.push(piece)),
        ...cutter.end(),
      ];
      const sizes = bytes
        .toString('latin1')
        .split('\n')
        .map(({ length }) => length);
      const expected = sizes.at(-1) === 0 ? sizes.slice(0, -1) : sizes;
      expect(lines.map((line) => ('bytes' in line ? line.bytes.length : line.tooLong))).toEqual(
        expected,
      );
      for (const line of lines) expect('tooLong' in line).toBe(sizeOf(line) > most);
    }),
  );
});

function sizeOf(line: { bytes: Uint8Array } | { tooLong: number }): number {
  return 'bytes' in line ? line.bytes.length : line.tooLong;
}
