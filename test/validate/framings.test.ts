import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answer, brief, call, lines, START, validatePieces, validateText } from './support.js';
import { sized } from '../support/size.js';

const pretty = (value: unknown, indent: number | string = 2): string =>
  JSON.stringify(value, null, indent);
const plain = (value: unknown): string => JSON.stringify(value);

/** Texts in messages that look like the framing around them. */
const TEXTS = [
  'x',
  '}{',
  '{"jsonrpc":"2.0"}',
  '\u2028',
  '\u0085',
  '\ufeff',
  '" --> {',
  '\\',
  '[\n',
  'ä𝄞',
];

interface Sent {
  readonly isWrong: boolean;
  readonly text: string;
}

const sent = fc.record({ isWrong: fc.boolean(), text: fc.constantFrom(...TEXTS) });

/** A request that either side may send, with an id of its own. */
const messageOf = ({ isWrong, text }: Sent, id: number): object =>
  call(id, { text, _meta: isWrong ? 5 : {} }, 'ping');

type Framing = (messages: readonly object[]) => string;

/** Every framing that docs/validating.md lists, and every way to put messages on a line. */
const FRAMINGS: Readonly<Record<string, Framing>> = {
  lines: (all) => all.map(plain).join('\n'),
  'lines with blank ones': (all) => all.map(plain).join('\n\n \n'),
  'on one line': (all) => all.map(plain).join(''),
  'on one line, with blanks': (all) => all.map(plain).join(' \t'),
  'on one line, with commas': (all) => all.map(plain).join(', '),
  'on one line, with a line separator': (all) => all.map(plain).join('\u2028'),
  'on one line, with a next line': (all) => all.map(plain).join('\u0085'),
  'JSON text sequence': (all) => all.map((each) => `\u001e${plain(each)}`).join('\n'),
  'byte order marks': (all) => all.map((each) => `\ufeff${plain(each)}`).join('\n'),
  documents: (all) => all.map((each) => pretty(each)).join('\n'),
  'documents with tabs': (all) => all.map((each) => pretty(each, '\t')).join('\n'),
  'documents on the line of the last': (all) => all.map((each) => pretty(each)).join(''),
  array: plain,
  'array of many lines': (all) => pretty(all),
  'array, one element a line': (all) => `[\n${all.map(plain).join(',\n')}\n]`,
  transcript: (all) => all.map((each) => `--> ${plain(each)}`).join('\n'),
  'transcript of documents': (all) => all.map((each) => `client: ${pretty(each)}`).join('\n'),
  'transcript on one line': (all) => all.map((each) => `--> ${plain(each)}`).join(' '),
  'transcript of arrays': (all) => `--> ${pretty(all)}`,
  log: (all) =>
    all.map((each) => `12:00:01 [info] {ctx} sent ${plain(each)} (12 ms) {ok}`).join('\n'),
  'log with other lines': (all) => all.map((each) => `idle\n[x] ${plain(each)}\nok`).join('\n'),
  'log with objects': (all) => all.map((each) => `{"level":30} -> ${plain(each)}`).join('\n'),
  'log on one line': (all) => all.map((each) => `sent ${plain(each)}`).join('; '),
  records: (all) => all.map((message) => plain({ direction: 'client', message })).join('\n'),
  'records on one line': (all) => all.map((payload) => plain({ from: 'client', payload })).join(''),
  'records of documents': (all) =>
    all.map((each) => pretty({ from: 'client', data: plain(each) })).join('\n'),
  'event stream': (all) =>
    all.map((each) => `event: message\nid: 1\ndata: ${plain(each)}\n`).join('\n'),
  'Inspector records': (all) => all.map((request) => plain({ request, response: '' })).join('\n'),
};

const part = fc.record({
  framing: fc.constantFrom(...Object.keys(FRAMINGS)),
  messages: fc.array(sent, { minLength: 1, maxLength: 4 }),
});

const recording = fc.record({
  parts: fc.array(part, { minLength: 1, maxLength: 4 }),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  mark: fc.boolean(),
  end: fc.constantFrom('', '\n', '\n\n', ' '),
  coding: fc.constantFrom('utf-8', 'utf-16', 'gzip', 'gzip of parts'),
  sizes: fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 20 }),
});

type Recording = typeof recording extends fc.Arbitrary<infer T> ? T : never;

function textOf({ parts, lineEnd, mark, end }: Recording): string {
  let id = 0;
  const texts = parts.map(({ framing, messages }) =>
    FRAMINGS[framing]?.(messages.map((each) => messageOf(each, (id += 1)))),
  );
  return (mark ? '\ufeff' : '') + (texts.join('\n') + end).replaceAll('\n', lineEnd);
}

function bytesOf(text: string, coding: Recording['coding']): Uint8Array {
  if (coding === 'utf-16') return Buffer.from(`\ufeff${text}`, 'utf16le');
  const bytes = Buffer.from(text);
  const half = bytes.length >> 1;
  if (coding === 'gzip') return gzipSync(bytes);
  if (coding === 'utf-8') return bytes;
  return Buffer.concat([gzipSync(bytes.subarray(0, half)), gzipSync(bytes.subarray(half))]);
}

function* cutUp(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  for (let start = 0, turn = 0; start < bytes.length; turn += 1) {
    const end = start + (sizes[turn % sizes.length] ?? 1);
    yield bytes.subarray(start, end);
    start = end;
  }
}

describe('validate counts every message that was written', () => {
  it('in any framing, or several, cut anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(recording, async (drawn) => {
        const all = drawn.parts.flatMap(({ messages }) => messages);
        const bytes = bytesOf(textOf(drawn), drawn.coding);
        // Of this revision, because it alone has batches.
        const { counts } = await validatePieces(cutUp(bytes, drawn.sizes), {
          revision: '2025-03-26',
        });
        expect(counts).toMatchObject({
          messages: all.length,
          invalid: all.filter(({ isWrong }) => isWrong).length,
          unreadable: 0,
        });
      }),
      { numRuns: sized(200) },
    );
  });
});

describe('validate reads or names every part', () => {
  const wrong = plain(answer(1, { content: 'none' }));
  const [first, second] = START.map(plain);
  const good = `${first ?? ''}\n${second ?? ''}\n${plain(call(1))}`;
  const har = (text: string): string =>
    plain({ log: { entries: [{ request: {}, response: { content: { text } } }] } });

  it.each<[string, string]>([
    ['beside another', `${good}${wrong}`],
    ['after a carriage return', `${good}\n${wrong}`.replaceAll('\n', '\r')],
    ['after text beside another', `${good} and then ${wrong}`],
    ['before another', `${good}\n${wrong} --> ${plain(call(2, {}, 'ping'))}`],
    ['that is an id of an event stream', `${good}\nid: ${wrong}`],
    ['that is a comment of an event stream', `${good}\n: ${wrong}`],
    [
      'under a second key of a record',
      `${good}\n${plain({ message: 'sent', data: JSON.parse(wrong) as object })}`,
    ],
    [
      'in an array that is a response',
      `${first ?? ''}\n${second ?? ''}\n${plain({ request: call(1), response: [JSON.parse(wrong)] })}`,
    ],
  ])('an invalid result %s', async (_, text) => {
    const outcome = await validateText(text);
    expect(outcome.counts.invalid).toBe(1);
    expect(brief(outcome).some((each) => each.includes('/result/content'))).toBe(true);
  });

  it('every message of an event stream with carriage returns, in a HAR file', async () => {
    const outcome = await validateText(
      har(`data: ${good.replaceAll('\n', '\r\rdata: ')}\r\rdata: ${wrong}\r\r`),
    );
    expect(outcome.counts).toMatchObject({ messages: 4, unreadable: 0 });
  });

  it.each<[string, string]>([
    ['that is cut off after another', `${good}{"jsonrpc":"2.0",`],
    ['that is cut off after text', `${good}\n${plain(call(2))} --> {"jsonrpc":"2.0"`],
    ['without its beginning', `${good} "jsonrpc":"2.0","id":3,"result":{}}`],
    [
      'that is a broken response',
      `${good}\n${plain({ request: call(2), response: '{"jsonrpc":' })}`,
    ],
    ['with broken data in a record', `${good}\n${plain({ message: '{"jsonrpc":' })}`],
  ])('a message %s is an error', async (_, text) => {
    const outcome = await validateText(text);
    expect(outcome.counts.unreadable).toBe(1);
    expect(outcome.findings.map(({ code }) => code)).toContain('not-json');
  });

  it('what is skipped, with its lines and the reason', async () => {
    const text = `start\n${good} took {"ms":12}\n[x] {"level":30} idle {x}\n${har('<html>')}\nbye\n`;
    const { skipped, counts } = await validateText(text);
    expect(skipped).toEqual([
      { reason: 'text', count: 2, lines: [1, 7] },
      { reason: 'beside', count: 1, lines: [4] },
      { reason: 'no-envelope', count: 1, lines: [5] },
      { reason: 'body', count: 1, lines: [6] },
    ]);
    expect(counts).toMatchObject({ skipped: 5, messages: 3 });
  });

  it.each(['{', '{x', '{"', '{} x ', ' {"x": "{"jsonrpc"', '[{"a":[{"jsonrpc":1},! '])(
    'a line of very many %j',
    async (unit) => {
      const line = unit.repeat(1_000_000 / unit.length);
      const { counts } = await validateText(`${good}\n${line}\n${plain(call(2))}`);
      expect(counts.messages).toBeGreaterThanOrEqual(4);
      expect(counts.unreadable + counts.skipped).toBeGreaterThan(0);
    },
  );

  it('messages of more than 32 MiB on one line', async () => {
    const padded = plain(call(1, { name: 'x'.repeat(1_000_000) }));
    const pieces = Array.from({ length: 40 }, (_, id) =>
      Buffer.from(padded.replace('"id":1', `"id":${String(id)}`)),
    );
    const { counts } = await validatePieces(pieces, { revision: '2025-11-25' });
    expect(counts).toMatchObject({ messages: 40, unreadable: 0 });
  });
});

describe('gzip', () => {
  const text = lines(...START, call(1, { name: 5 }));
  const packed = gzipSync(text);

  it.each<[string, Uint8Array, number]>([
    ['that is cut off', packed.subarray(0, -9), 3],
    ['that is cut off in its first bytes', packed.subarray(0, 5), 0],
    ['with a wrong sum', Uint8Array.from(packed).fill(0, -8, -4), 3],
    ['with other bytes after it', Buffer.concat([packed, Buffer.from(text)]), 3],
  ])('%s is an error', async (_, bytes, messages) => {
    for (const size of [1, 7, bytes.length]) {
      const outcome = await validatePieces(cutUp(bytes, [size]));
      expect(outcome.findings).toContainEqual(
        expect.objectContaining({ code: 'bad-gzip', severity: 'error' }),
      );
      expect(outcome.counts.messages).toBeLessThanOrEqual(messages);
    }
  });
});
