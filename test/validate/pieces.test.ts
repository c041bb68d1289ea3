import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Framer } from '../../contracts/validate/framing.js';
import type { Frame } from '../../contracts/validate/framing.js';
import { sized } from '../support/size.js';
import { answer, call, INITIALIZE, lines, START, validatePieces, validateText } from './support.js';

const BROKEN = [
  '{"a":',
  '{"a"\n',
  ']',
  '}',
  'noise',
  '"x"',
  '[1,',
  '{"a":"\\"}',
  'ä→{',
  ',',
  '\ufeff',
  '[',
  '\n',
];
const MESSAGES = [
  ...START,
  call(1, { name: 'ä→𝄞' }),
  call('1', { name: 5 }),
  answer(1, {}),
  call(2),
];
const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

/** Texts of every form, some with something broken put in. */
const text = fc
  .record({
    text: fc.constantFrom(
      lines(...MESSAGES),
      lines([call(1)], ...MESSAGES, [answer(2)], []),
      JSON.stringify(MESSAGES),
      pretty(MESSAGES),
      MESSAGES.map(pretty).join('\n'),
      MESSAGES.map((each, i) => `${i % 2 ? '<--' : '-->'} ${JSON.stringify(each)}\r\n`).join(''),
      MESSAGES.map((each) => `client: ${pretty(each)}\n`).join(''),
      `\ufeff${pretty(INITIALIZE)}`,
    ),
    junk: fc.array(fc.record({ what: fc.constantFrom(...BROKEN), where: fc.nat() }), {
      maxLength: 3,
    }),
  })
  .map(({ text: whole, junk }) =>
    junk.reduce((so, { what, where }) => {
      const at = where % (so.length + 1);
      return so.slice(0, at) + what + so.slice(at);
    }, whole),
  );

const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 40 });

/** The bytes cut into pieces of these sizes, over and over. */
function* cutUp(bytes: Uint8Array, lengths: readonly number[]): Generator<Uint8Array> {
  for (let start = 0, turn = 0; start < bytes.length; turn += 1) {
    const end = start + (lengths[turn % lengths.length] ?? 1);
    yield bytes.subarray(start, end);
    start = end;
  }
}

it('validate gives the same findings wherever an input is cut into chunks', async () => {
  await fc.assert(
    fc.asyncProperty(text, sizes, async (whole, lengths) => {
      const expected = await validateText(whole);
      expect(await validatePieces(cutUp(Buffer.from(whole), lengths))).toEqual(expected);
    }),
    { numRuns: sized(200) },
  );
});

it('validate gives the same findings byte by byte', async () => {
  for (const whole of [lines(...MESSAGES), pretty(MESSAGES), `--> ${pretty(INITIALIZE)}`]) {
    const expected = await validateText(whole);
    expect(await validatePieces(cutUp(Buffer.from(whole), [1]))).toEqual(expected);
  }
});

it('the framer drops a byte order mark at the beginning only', () => {
  const mark = Buffer.from('\ufeff');
  const whole = Buffer.from(lines(...START, call('\ufeff')));
  const at = whole.indexOf(mark);
  const expected = framesOf([whole], 1e6);
  expect(framesOf([whole.subarray(0, at), whole.subarray(at)], 1e6)).toEqual(expected);
  expect(framesOf([mark.subarray(0, 1), mark.subarray(1), whole], 1e6)).toEqual(expected);
});

/** What frames hold, copied while they may be looked at. */
function framesOf(pieces: Iterable<Uint8Array>, limit: number): object[] {
  const framer = new Framer(limit);
  const seen: object[] = [];
  const look = (frames: Iterable<Frame>): void => {
    for (const frame of frames) {
      const text = frame.kind === 'text' ? Buffer.from(frame.bytes).toString() : undefined;
      const { line, kind, index } = { index: undefined, ...frame };
      if (text?.trim() !== '') seen.push({ line, kind, index, text: text?.trim() });
    }
  };
  for (const piece of pieces) look(framer.push(piece));
  look(framer.end());
  return seen;
}

const value = fc
  .jsonValue({ maxDepth: 4 })
  .filter((each) => typeof each === 'object' && each !== null);

it('the framer finds every value of every form with its line', () => {
  const some = fc.array(
    value.map((each) => ({ each })),
    { minLength: 2, maxLength: 8 },
  );
  fc.assert(
    fc.property(some, fc.constantFrom(undefined, 0, 2, '\t'), sizes, (values, indent, lengths) => {
      const texts = values.map((each) => JSON.stringify(each, null, indent));
      const separate = framesOf(cutUp(Buffer.from(texts.join('\n')), lengths), 1e6);
      expect(separate.map((frame) => (frame as { text: string }).text)).toEqual(texts);
      let line = 1;
      for (const [index, frame] of separate.entries()) {
        expect(frame).toMatchObject({ line });
        line += (texts[index] ?? '').split('\n').length;
      }
      const list = JSON.stringify(values, null, indent);
      const elements = framesOf(cutUp(Buffer.from(list), lengths), 1e6) as { text: string }[];
      expect(elements.map(({ text: each }) => JSON.parse(each) as unknown)).toEqual(
        JSON.parse(list),
      );
    }),
    { numRuns: sized(150) },
  );
});

it.each<[string, string, object[]]>([
  [
    'a line',
    `{"a":1}\n{"a":"${'x'.repeat(50)}"}\n{"b":2}\n`,
    [{ line: 1 }, { line: 2 }, { line: 3 }],
  ],
  ['the first line', `{"a":"${'x'.repeat(50)}"}\n{"b":2}\n`, [{ line: 1 }, { line: 2 }]],
  [
    'an element',
    `[{"a":1},{"a":"${'x'.repeat(50)}"},\n{"b":2}]`,
    [{ index: 0 }, { index: 1 }, { index: 2, line: 2 }],
  ],
  ['a document', `{\n"a":"${'x'.repeat(50)}"\n}\n{\n"b":2\n}`, [{ line: 1 }, { line: 4 }]],
])('the framer continues after %s that is too large', (_, whole, expected) => {
  for (const length of [1, 7, 1000]) {
    const frames = framesOf(cutUp(Buffer.from(whole), [length]), 40);
    expect(frames).toMatchObject(expected);
    const large = frames.filter((frame) => (frame as Frame).kind === 'too-large');
    expect(large).toHaveLength(1);
  }
});
