import addFormatsModule from 'ajv-formats';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { matchesByte } from '../../json-schema/portable/byte.js';
import { accepts } from '../../generator/emit/support/check.js';
import { matchesUri } from '../../json-schema/portable/uri.js';
import { matchesUriTemplate } from '../../json-schema/portable/uri-template.js';
import { sized } from '../support/size.js';

type Check = (value: string) => boolean;

/** The formats of the protocol's schemas, which have the verdict of ajv-formats. */
const FORMATS = ['byte', 'uri', 'uri-template'] as const;
type Format = (typeof FORMATS)[number];

const CHECKS: Readonly<Record<Format, Check>> = {
  byte: matchesByte,
  uri: matchesUri,
  'uri-template': matchesUriTemplate,
};

function oracle(format: Format): Check {
  const ajv = new Ajv({ strict: false });
  addFormatsModule.default(ajv);
  return ajv.compile({ type: 'string', format }) as Check;
}

/** Parts that together give texts near the edges of the grammars. */
const PIECES: Readonly<Record<Format, readonly string[]>> = {
  byte: [
    'QUJD',
    'QQ==',
    'QUI=',
    'A',
    '=',
    '==',
    '+/+/',
    '-_',
    ' ',
    '\n',
    '\r',
    '\u2028',
    '\u2029',
    'é',
    '\u{1f600}',
    'QUJD'.repeat(40),
    'QUJD'.repeat(8192),
  ],
  uri: [
    'http',
    'a',
    'A+1.-',
    ':',
    '/',
    '//',
    '?',
    '#',
    '@',
    '[',
    ']',
    '[::1]',
    '[',
    'v1.a',
    'V',
    'f.:',
    '1:2:3:4:5:6:7:8',
    '::',
    '1:2',
    '12345',
    '1.2.3.4',
    '256.1.1.1',
    '01.002.3.255',
    '%41',
    '%4',
    '%',
    ' ',
    '\\',
    '"',
    "'",
    '|',
    '^',
    '{',
    'é',
    '\u212a',
    '\u017f',
    '\n',
    '\ud800',
    ':80',
    'user:pw@',
    '_',
    '~',
    '-',
    '$&()*+,;=',
  ],
  'uri-template': [
    '{',
    '}',
    '{a}',
    '{+a,b*}',
    '{a:1}',
    '{a:9999}',
    '{a:10000}',
    '{a:0}',
    ',',
    '*',
    ':',
    ':12',
    '+',
    '#',
    '.',
    '/',
    '|',
    '%41',
    '%4',
    '%',
    '_',
    'a',
    '9',
    ' ',
    '"',
    "'",
    '<',
    '>',
    '\\',
    '^',
    '`',
    '\u0000',
    '\u007f',
    'é',
    '\u212a',
    '\ud800',
    '{,a}',
    '{,,a}',
    '{{a}}',
  ],
};

describe.each(FORMATS)('%s', (format) => {
  const accepts = oracle(format);

  test('agrees with ajv-formats on texts of significant parts', () => {
    const check = CHECKS[format];
    const text = fc.array(fc.constantFrom(...PIECES[format]), { maxLength: 9 });
    fc.assert(
      fc.property(text, (pieces) => {
        const value = pieces.join('');
        expect(check(value), JSON.stringify(value)).toBe(accepts(value));
      }),
      { numRuns: sized(20_000) },
    );
  });

  test('agrees with ajv-formats on one character changed', () => {
    const check = CHECKS[format];
    const change = fc.record({
      good: fc
        .array(fc.constantFrom(...PIECES[format]), { maxLength: 6 })
        .map((all) => all.join('')),
      at: fc.nat(),
      by: fc.oneof(fc.string({ maxLength: 1 }), fc.string({ maxLength: 1, unit: 'binary' })),
    });
    fc.assert(
      fc.property(change, ({ good, at, by }) => {
        const place = at % (good.length + 1);
        const value = good.slice(0, place) + by + good.slice(place + 1);
        expect(check(value), JSON.stringify(value)).toBe(accepts(value));
      }),
      { numRuns: sized(10_000) },
    );
  });
});

describe('uri', () => {
  const accepts = oracle('uri');

  test('agrees with ajv-formats on addresses of every length', () => {
    const { uri } = CHECKS;
    const group = fc.constantFrom('0', 'ffff', 'A1', '12345', 'g', '');
    const side = fc.array(group, { maxLength: 8 }).map((groups) => groups.join(':'));
    const tail = fc.constantFrom('', '', ':1.2.3.4', '1.2.3.4', '.1.2.3', '1.2.3.4.');
    const address = fc
      .tuple(side, fc.constantFrom('', '::', '::', ':'), side, tail)
      .map((parts) => parts.join(''));
    const prefix = fc.constantFrom('a:/', 'a://', 'a://u@', 'a:///', 'a:', 'a://u@v@', 'a://u/@');
    const suffix = fc.constantFrom(
      '',
      ':',
      ':80',
      '/p',
      ':80/p?q#f',
      '?q',
      '#f',
      'x',
      ':x',
      '#f#g',
    );
    fc.assert(
      fc.property(prefix, address, suffix, (before, ip, after) => {
        const value = `${before}[${ip}]${after}`;
        expect(uri(value), value).toBe(accepts(value));
      }),
      { numRuns: sized(30_000) },
    );
  });
});

test('the base64 check gives the same verdicts without atob', () => {
  vi.stubGlobal('atob', undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
  const check = CHECKS.byte;
  const accepts = oracle('byte');
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES.byte), { maxLength: 9 }), (pieces) => {
      expect(check(pieces.join(''))).toBe(accepts(pieces.join('')));
    }),
    { numRuns: sized(5_000) },
  );
});

test('formats of millions of characters do not overflow the stack', () => {
  const checks = CHECKS;
  const long = 'a'.repeat(sized(10_000_000));
  for (const text of [
    long,
    `a://${long}@[`,
    `a://[::1]:${'1'.repeat(sized(9_000_000))}`,
    `{${long}`,
    `{${long}}`,
    `${'{a}'.repeat(sized(3_000_000))}`,
    `${long} `,
    '\n'.repeat(sized(10_000_000)),
    'x\n'.repeat(sized(5_000_000)),
    '%41'.repeat(sized(3_000_000)),
  ]) {
    for (const format of FORMATS) expect(typeof checks[format](text)).toBe('boolean');
  }
  // V8 gives up here once a process has compiled many expressions, which the validators take for an invalid value.
  expect(accepts((v) => checks.uri(v as string), `a://[v${long}`, undefined)).toBe(false);
  expect(checks.byte(long)).toBe(true);
  expect(checks.byte(`${long}=`)).toBe(false);
  expect(checks.uri(`a:${long}`)).toBe(true);
  expect(checks['uri-template'](`{${long}}`)).toBe(true);
});
