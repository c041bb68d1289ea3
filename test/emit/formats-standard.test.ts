import addFormatsModule from 'ajv-formats';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  matchesDate,
  matchesDateTime,
  matchesDuration,
  matchesTime,
} from '../../json-schema/portable/date-time.js';
import { matchesEmail, matchesIdnEmail } from '../../json-schema/portable/email.js';
import { matchesHostname, matchesIdnHostname } from '../../json-schema/portable/hostname.js';
import { matchesIpv4, matchesIpv6 } from '../../json-schema/portable/ip.js';
import {
  matchesJsonPointer,
  matchesRelativeJsonPointer,
} from '../../json-schema/portable/pointer.js';
import { decodePunycode, encodePunycode } from '../../json-schema/portable/punycode.js';
import {
  matchesIri,
  matchesIriReference,
  matchesUriReference,
} from '../../json-schema/portable/reference.js';
import { matchesRegex } from '../../json-schema/portable/regex.js';
import { matchesUuid } from '../../json-schema/portable/uuid.js';
import { sized } from '../support/size.js';

type Check = (value: string) => boolean;

interface Known {
  readonly check: Check;
  /** A text that both accept; of most formats a few joined parts rarely make one. */
  readonly valid: string;
  /** Parts that together give texts near the edges of the grammar. */
  readonly pieces: readonly string[];
  /** Where ajv-formats accepts more than the standard. */
  readonly ajvAccepts?: readonly [reason: string, text: RegExp][];
  /** Where ajv-formats refuses what the standard has. */
  readonly ajvRefuses?: readonly [reason: string, text: RegExp][];
}

const DAY = ['2020', '-', '01', '12', '13', '02', '29', '31', '2021', '1900', '2000', '-', '0'];
const CLOCK = [
  '23:59:60',
  '12:30:59',
  '00',
  ':',
  '24',
  '60',
  '.5',
  'z',
  'Z',
  '+',
  '-',
  '08:00',
  '00:30',
];
const OFFSET: [string, RegExp][] = [
  ['RFC 3339 has a colon and minutes in an offset', /[+-]\d\d(?:\d\d)?$/],
  ['a leap second is only at 23:59:60 in UTC', /:60(?:\.\d+)?(?:z|[+-]\d\d:\d\d)$/i],
  ['no minute has a second above 60', /:60\.\d+/],
];
const LEAP: [string, RegExp][] = [
  ['a leap second may have a fraction', /:60\.\d+/],
  ['the offset may cross midnight', /:60(?:\.\d+)?[+-]\d\d:\d\d$/],
];

const KNOWN: Readonly<Record<string, Known>> = {
  date: {
    check: matchesDate,
    valid: '2024-02-29',
    pieces: [...DAY, '2020-02-29', '2021-02-', '\n', '٢'],
  },
  time: {
    check: matchesTime,
    valid: '12:30:59Z',
    pieces: [...CLOCK, '22:59:60-01:00', '00:29:60+00:30', ' '],
    ajvAccepts: OFFSET,
    ajvRefuses: LEAP,
  },
  'date-time': {
    check: matchesDateTime,
    valid: '2020-02-29T12:30:59Z',
    pieces: [
      '2020-02-29T',
      'T12:30:59Z',
      '2020-02-29',
      '2021-02-29',
      'T',
      't',
      ' ',
      '12:30:59',
      '23:59:60',
      '.5',
      'Z',
      '+08:00',
      '+0800',
      'TT',
    ],
    ajvAccepts: [...OFFSET, ['RFC 3339 has T between date and time', /\s/]],
    ajvRefuses: LEAP,
  },
  duration: {
    check: matchesDuration,
    valid: 'P1Y2M3DT4H',
    pieces: [
      'P',
      'T',
      '1',
      '20',
      'Y',
      'M',
      'D',
      'H',
      'S',
      'W',
      '1Y',
      '2M',
      '3D',
      'T4H',
      '5S',
      '.',
      '-',
    ],
    ajvAccepts: [['RFC 3339 allows no gap between units', /\dY\d+D|\dH\d+S/]],
  },
  email: {
    check: matchesEmail,
    valid: 'a.b@example.com',
    pieces: [
      'a',
      'b.c',
      '.',
      '@',
      'x.org',
      '@x.org',
      '-',
      '"',
      '" "',
      '[1.2.3.4]',
      '[IPv6:::1]',
      '!#',
      '(',
      'é',
      ' ',
    ],
    ajvRefuses: [
      ['RFC 5321 has quoted local parts', /^"/],
      ['RFC 5321 has address literals', /@\[/],
      ['a domain may be one label', /@[^.]+$/],
    ],
  },
  hostname: {
    check: matchesHostname,
    valid: 'a-1.example',
    pieces: ['a', 'B9', '-', '--', '.', '..', '_', 'x'.repeat(61), 'é', 'xn--', '9', ' '],
    ajvAccepts: [
      ['a name does not end with a dot', /\.$/],
      ['hyphens in the third and fourth place belong to encoded labels', /(?:^|\.)..--/],
    ],
  },
  ipv4: {
    check: matchesIpv4,
    valid: '127.0.0.1',
    pieces: ['0', '1', '25', '255', '256', '01', '.', '1.2.3', '.4', ' ', '٢'],
  },
  ipv6: {
    check: matchesIpv6,
    valid: '2001:db8::1',
    pieces: [
      '1',
      'ffff',
      'A',
      ':',
      '::',
      '1:2:3',
      ':4:5',
      '1.2.3.4',
      '256',
      '12345',
      '%',
      '.',
      'g',
    ],
  },
  uuid: {
    check: matchesUuid,
    valid: '123e4567-e89b-12d3-a456-426614174000',
    pieces: [
      '2eb8aa08',
      '-',
      'aa98',
      '-11EA-',
      'b4aa-73b441d16380',
      '2eb8aa08-aa98-11ea-',
      'g',
      '\n',
      'urn:uuid:',
    ],
    ajvAccepts: [['RFC 4122 has urn:uuid: only in URNs', /^urn:uuid:/i]],
  },
  'uri-reference': {
    check: matchesUriReference,
    valid: '/a?b#c',
    pieces: [
      'http:',
      '//',
      '/',
      'a',
      'a:b',
      '?',
      '#',
      '@',
      ':',
      ':80',
      '[::1]',
      '[',
      ']',
      '%41',
      '%4',
      '"',
      ' ',
      'é',
      '1',
      '01.2.3.4',
    ],
    ajvAccepts: [
      ['RFC 3986 has no quotes', /"/],
      ['an address follows two slashes', /^(?:[a-z][a-z\d+.-]*:)?\/[^/]*\[/i],
      ['a colon before the first slash belongs to a scheme', /^[^/?#]*:/],
      ['an address in an address has no leading zeros', /\[[^\]]*\b0\d/],
      ['a port is a number', /\/\/[^/?#]*:\d*[^\d/?#]/],
      ['the authority has one @', /@[^/?#]*@/],
    ],
  },
  'json-pointer': {
    check: matchesJsonPointer,
    valid: '/a~0/1',
    pieces: ['/', 'a', '~', '~0', '~1', '~2', '#', '\n', '\u{1f600}'],
  },
  'relative-json-pointer': {
    check: matchesRelativeJsonPointer,
    valid: '1/a',
    pieces: ['0', '1', '01', '10', '#', '/', '/a', '~', '~1', '-', '+', '\n'],
  },
  regex: {
    check: matchesRegex,
    valid: '^a+$',
    pieces: ['a', '(', ')', '[', ']', '*', '+?', '\\', '\\d', '(?=', '{1,2}', '{', '|', '\\p{L}'],
    ajvAccepts: [['the flag u allows neither these escapes nor lone brackets', /[\\\]{}]|\(\?=/]],
  },
};

const ajv = new Ajv({ strict: false });
addFormatsModule.default(ajv, { mode: 'full' });

describe.each(Object.entries(KNOWN))('%s', (format, known) => {
  test('has the verdict of ajv-formats, except where the standard has another', () => {
    const oracle = ajv.compile({ type: 'string', format }) as Check;
    const joined = fc
      .array(fc.constantFrom(...known.pieces), { maxLength: 8 })
      .map((parts) => parts.join(''));
    const changed = fc
      .tuple(
        fc.oneof(joined, fc.constant(known.valid)),
        fc.nat(),
        fc.string({ maxLength: 1, unit: 'binary' }),
      )
      .map(([text, at, by]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + by + text.slice(place + 1);
      });
    let accepted = 0;
    fc.assert(
      fc.property(fc.oneof(joined, changed, fc.constant(known.valid)), (text) => {
        const verdict = known.check(text);
        accepted += Number(verdict);
        if (verdict === oracle(text)) return;
        const reasons = (verdict ? known.ajvRefuses : known.ajvAccepts) ?? [];
        expect(
          reasons.some(([, pattern]) => pattern.test(text)),
          `${verdict ? 'accepts' : 'refuses'} ${JSON.stringify(text)}`,
        ).toBe(true);
      }),
      { numRuns: sized(20_000) },
    );
    expect(accepted).toBeGreaterThan(0);
  });
});

test('punycode decodes to what was encoded', () => {
  const label = fc
    .string({ unit: 'grapheme', maxLength: 20 })
    .filter((text) => !/\p{Cs}/u.test(text));
  fc.assert(
    fc.property(label, (text) => {
      expect(decodePunycode(encodePunycode(text))).toBe(text);
    }),
  );
});

test('internationalized host names and addresses contain those of ASCII', () => {
  const label = fc.constantFrom(
    'a',
    '-',
    '.',
    'xn--',
    'b',
    '9',
    '@',
    '"',
    'é',
    'א',
    '٠',
    'mnchen-3ya',
  );
  fc.assert(
    fc.property(fc.array(label, { maxLength: 6 }), (parts) => {
      const text = parts.join('');
      if (matchesHostname(text)) expect(matchesIdnHostname(text), text).toBe(true);
      if (matchesEmail(text)) expect(matchesIdnEmail(text), text).toBe(true);
    }),
    { numRuns: sized(20_000) },
  );
});

test('an encoded host name has the verdict of the name that it stands for', () => {
  const part = fc.constantFrom(
    'a',
    'l',
    '·',
    'é',
    'א',
    '٠',
    '۰',
    'क',
    '्',
    '\u200d',
    '\u200c',
    'ب',
    'ア',
    '・',
    '-',
  );
  const label = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(label, (text) => {
      fc.pre(/[^\0-\x7f]/.test(text));
      expect(matchesHostname(`xn--${encodePunycode(text)}`), text).toBe(matchesIdnHostname(text));
    }),
    { numRuns: sized(20_000) },
  );
});

test('an IRI contains the URI that it maps to, and the other way round', () => {
  const part = fc.constantFrom(
    'http:',
    '//',
    '/',
    'a',
    'é',
    ':',
    '@',
    '?',
    '#',
    '[::1]',
    '\ue000',
    '\ufdd0',
    '%41',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 7 }), (parts) => {
      const text = parts.join('');
      expect(matchesIri(text)).toBe(/^[a-z]+:/.test(text) && matchesIriReference(text));
      const mapped = text.replace(/[^\0-\x7f]/g, (each) => encodeURIComponent(each));
      if (matchesIriReference(text)) expect(matchesUriReference(mapped), text).toBe(true);
      if (matchesUriReference(text)) expect(matchesIriReference(text), text).toBe(true);
    }),
    { numRuns: sized(20_000) },
  );
});

test('formats of millions of characters do not overflow the stack', () => {
  const many = (text: string): string => text.repeat(sized(4_000_000) / text.length);
  const long = [
    many('a'),
    many('1'),
    many('é'),
    many('a.'),
    many('/~0'),
    many('1:'),
    many('{%41}'),
    `P${many('1D')}`,
    `P${many('1')}D`,
    `12:30:59.${many('1')}Z`,
    `"${many('\\"')}"@a`,
    `${many('a.')}a@${many('a-')}a`,
    `http://${many('é')}@${many('a:')}`,
    `//[${many(':')}`,
    `xn--${many('z')}`,
    `0/${many('~1')}`,
    many('('),
    many('a{1}'),
  ];
  const checks = [matchesIdnEmail, matchesIdnHostname, matchesIri, matchesIriReference];
  for (const check of [...Object.values(KNOWN).map((each) => each.check), ...checks]) {
    for (const text of long) expect(typeof check(text)).toBe('boolean');
  }
  expect(matchesTime(`12:30:59.${many('1')}Z`)).toBe(true);
  expect(matchesEmail(`${many('a.')}a@${many('a-')}a`)).toBe(true);
  expect(matchesJsonPointer(many('/~0'))).toBe(true);
  expect(matchesIri(`http://${many('é')}`)).toBe(true);
});
