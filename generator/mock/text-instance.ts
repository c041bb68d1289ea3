import type { JsonObject } from '../../runtime/tasks/index.js';
import type { Random } from './random.js';

const WORDS = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel', 'india'];
const LONGEST = 100_000;

/** A text of each format. Times are fixed, so that a seed gives the same text on every day. */
const OF_FORMAT: Readonly<Record<string, (random: Random) => string>> = {
  date: (random) => `2025-0${random.between(1, 9)}-1${random.between(0, 9)}`,
  time: (random) => `1${random.between(0, 9)}:00:00Z`,
  'date-time': (random) => `2025-0${random.between(1, 9)}-1${random.between(0, 9)}T12:00:00Z`,
  duration: (random) => `PT${random.between(1, 59)}M`,
  email: (random) => `${word(random)}@example.com`,
  hostname: (random) => `${word(random)}.example.com`,
  ipv4: (random) => `192.0.2.${random.between(1, 254)}`,
  ipv6: (random) => `2001:db8::${random.between(1, 9)}`,
  uri: (random) => `https://example.com/${word(random)}`,
  url: (random) => `https://example.com/${word(random)}`,
  'uri-reference': (random) => `/${word(random)}`,
  'json-pointer': (random) => `/${word(random)}`,
  uuid: (random) => {
    const hex = Array.from({ length: 30 }, () => random.between(0, 15).toString(16)).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-8${hex.slice(15, 18)}-${hex.slice(18)}`;
  },
};

/** A text for the keywords of a schema. */
export function textFor(schema: JsonObject, random: Random): string {
  const { format, minLength, maxLength, pattern } = schema;
  const formatted = typeof format === 'string' && Object.hasOwn(OF_FORMAT, format);
  if (formatted) return OF_FORMAT[format]?.(random) ?? '';
  const least = typeof minLength === 'number' ? Math.min(minLength, LONGEST) : 0;
  const most = typeof maxLength === 'number' ? maxLength : Infinity;
  if (typeof pattern === 'string') return likePattern(pattern, random, least);
  let text = word(random);
  while (text.length < least) text += ` ${word(random)}`;
  return text.slice(0, Math.max(least, Math.min(text.length, most)));
}

function word(random: Random): string {
  return random.pick(WORDS) ?? '';
}

const CLASSES: Readonly<Record<string, string>> = {
  d: '7',
  w: 'a',
  s: ' ',
  D: 'a',
  W: '-',
  S: 'a',
};

/** A piece of a simple pattern: a class, an escape or a character, and how often it comes. */
const PIECE =
  /(\[(\^?)((?:\\.|[^\]\\])*)\]|\\(.)|[^\\()|])(?:\{(\d{1,4})(?:,(\d{0,4}))?\}|([*+?]))?\??/gy;

/**
 * A text for a pattern of characters and classes one after another. For another pattern it is a text that the check
 * refuses.
 */
function likePattern(pattern: string, random: Random, least: number): string {
  const body = pattern
    .replace(/^\^/, '')
    .replace(/\$$/, '')
    .replace(/\((?:\?:)?([^()|]*)(?:\|[^()]*)?\)/g, '$1');
  let text = '';
  for (const [, whole = '', negated, inside = '', escaped, low, , often] of body.matchAll(PIECE)) {
    const character = characterFor(whole, negated === '^', inside, escaped, random);
    const count = Number(low ?? (often === '*' || often === '?' ? 0 : 1));
    const wanted =
      often === undefined ? count : Math.max(count, Math.min(least - text.length, LONGEST));
    for (let index = 0; index < Math.min(wanted, LONGEST); index += 1) text += character;
  }
  return text;
}

function characterFor(
  whole: string,
  isNegated: boolean,
  inside: string,
  escaped: string | undefined,
  random: Random,
): string {
  if (escaped !== undefined) return CLASSES[escaped] ?? escaped;
  if (!whole.startsWith('[')) return whole === '.' ? 'a' : whole;
  if (isNegated) return ['a', '0', '-', ' '].find((each) => !inside.includes(each)) ?? 'a';
  const [first = 'a', second] = inside;
  if (first === '\\') return CLASSES[second ?? ''] ?? second ?? 'a';
  const last = second === '-' ? inside.charCodeAt(2) : first.charCodeAt(0);
  return String.fromCharCode(
    random.between(first.charCodeAt(0), Math.max(first.charCodeAt(0), last || 0)),
  );
}
