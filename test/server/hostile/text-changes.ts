import fc from 'fast-check';

const VALUES = [
  'null',
  'true',
  '0',
  '-0',
  '1.0',
  '1e2',
  '-1.5',
  '1e400',
  '9007199254740992',
  '9007199254740993',
  '123456789012345678901234567890',
  '0.1e-400',
  '""',
  '" "',
  String.raw`"\u0000"`,
  String.raw`"\ud800"`,
  String.raw`"\udc00\ud800"`,
  String.raw`"\u0074asks/get"`,
  String.raw`"\/"`,
  '"{task}"',
  '"{session}"',
  '"{ext-foreign}"',
  '"ä ö 𝒳"',
  '"__proto__"',
  '"constructor"',
  '"hasOwnProperty"',
  '"x"',
  '[]',
  '[null]',
  '{}',
  '{"__proto__":{"id":1}}',
  '{"constructor":{"prototype":{}}}',
  '{"toString":null}',
  '{"":{}}',
  `${'['.repeat(480)}${']'.repeat(480)}`,
  `${'{"a":'.repeat(520)}1${'}'.repeat(520)}`,
  `"${'x'.repeat(3_000)}"`,
];
/** Names that stand in messages, and some that no object should take for its own. */
const NAMES = [
  'id',
  'jsonrpc',
  'method',
  'params',
  'result',
  'error',
  '_meta',
  'taskId',
  'name',
  'arguments',
  'task',
  'cursor',
  'inputResponses',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'then',
  'toJSON',
  'length',
  '0',
  '',
];

/** A change of a text at a place, which is a share of its length. */
type TextChange = (text: string, place: number) => string;

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\]:,]/g;

/** Changes one of the tokens that `takes` accepts. */
function atToken(takes: RegExp, change: (token: string) => string): TextChange {
  return (text, place) => {
    const tokens = [...text.matchAll(TOKEN)].filter(([token]) => takes.test(token));
    const found = tokens[Math.floor(place * tokens.length)];
    if (found === undefined) return text;
    const [token] = found;
    return text.slice(0, found.index) + change(token) + text.slice(found.index + token.length);
  };
}

function insert(added: string): TextChange {
  return (text, place) => {
    const at = Math.floor(place * (text.length + 1));
    return text.slice(0, at) + added + text.slice(at);
  };
}

const textChanges: fc.Arbitrary<TextChange> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...VALUES).map((v) => atToken(/^["\dtfn-]/, () => v)) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...VALUES))
      .map(([name, value]) => atToken(/^\{/, () => `{${JSON.stringify(name)}:${value},`)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...VALUES))
      .map(([name, value]) => atToken(/^\}/, () => `,${JSON.stringify(name)}:${value}}`)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...NAMES).map((name) => atToken(/^"/, () => JSON.stringify(name))),
  },
  { weight: 1, arbitrary: fc.constant(atToken(/^./, () => '')) },
  { weight: 1, arbitrary: fc.constant(atToken(/^./, (token) => token + token)) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        '\0',
        '\r\n',
        '\t ',
        ',',
        '\\',
        '"',
        '\xff',
        '\xc3',
        '\xed\xa0\x80',
        '\xef\xbb\xbf',
        '\u00a0',
      )
      .map(insert),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<TextChange>(
      (text) => `\xef\xbb\xbf${text}`,
      (text) => `\r\n ${text}\r\n\t`,
      (text) => `${text}\0`,
      (text) => text + text,
      (text) => `[${text}]`,
      (text) => `[${text},${text}]`,
      (text) => `[${text},7]`,
      (text) => JSON.stringify(text),
      (text, place) => text.slice(0, Math.floor(place * text.length)),
      () => '',
      () => ' ',
      () => '{}',
      () => 'null',
      (text) => Buffer.from(text, 'utf16le').toString('latin1'),
    ),
  },
);

/** Changes, and the places of the text that they begin at, from 0 to 1. */
export const placed = fc.array(
  fc.tuple(textChanges, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
  { maxLength: 2 },
);

export function changedText(
  text: string,
  changes: readonly (readonly [TextChange, number])[],
): string {
  return changes.reduce((each, [change, place]) => change(each, place), text);
}
