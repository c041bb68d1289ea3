import { endOfText } from './envelope.js';

/**
 * Numbers of JSON as they are written. `JSON.parse` loses what a double has no room for: 9007199254740993, `1.0`, `1e3`.
 * Until they are written again, such numbers are texts behind a mark, which no other program can guess.
 */

const MARK = `*number:${crypto.getRandomValues(new Uint32Array(4)).join('')}*`;
const MARKED = new RegExp(`"${MARK.replaceAll('*', '\\*')}([^"]+)"`, 'g');

/** What only a text with such a number contains, and a few others. Quick, for texts without any. */
const SUSPECT =
  /(?:^|[:,[\s])-?(?:0(?=[\s,\]}]|$)(?<=-0)|\d+(?:\.\d*0(?=[\s,\]}]|$)|(?:\.\d+)?[eE]|\.000000|(?:\.?\d){15}))/;
const NUMBER = /-?\d[\d.eE+-]*/g;

/** The JSON with marked texts in place of numbers that `JSON.parse` changes; undefined where it has none. */
export function withMarkedNumbers(json: string): string | undefined {
  if (!SUSPECT.test(json)) return undefined;
  let marked = '';
  for (let at = 0; at < json.length;) {
    const open = json.indexOf('"', at);
    const between = open < 0 ? json.slice(at) : json.slice(at, open);
    marked += between.replace(NUMBER, (number) =>
      String(Number(number)) === number ? number : `"${MARK}${number}"`,
    );
    at = open < 0 ? json.length : endOfText(json, open);
    if (open >= 0) marked += json.slice(open, at);
  }
  return marked === json ? undefined : marked;
}

/** JSON with the numbers that are marked in it. */
export function withNumbers(json: string): string {
  return json.includes(MARK) ? json.replace(MARKED, '$1') : json;
}

/**
 * The JSON of a value of which parts were changed, where the numbers of all others are written as in `json`.
 *
 * @throws {RangeError} for a value that nests too deeply.
 */
export function jsonOfChanged(
  changed: unknown,
  original: unknown,
  json: string | undefined,
): string {
  const marked = json === undefined ? undefined : withMarkedNumbers(json);
  if (marked === undefined) return JSON.stringify(changed);
  return withNumbers(JSON.stringify(merged(JSON.parse(marked), original, changed)));
}

/** The changed value with the parts of `marked` in place of unchanged ones. Names may have changed, too. */
function merged(marked: unknown, original: unknown, changed: unknown): unknown {
  if (changed === original) return marked === undefined ? changed : marked;
  if (Array.isArray(changed)) {
    return changed.map((each, index) =>
      merged(partOf(marked, index), partOf(original, index), each),
    );
  }
  if (!isRecord(changed) || !isRecord(original)) return changed;
  const names = Object.keys(original);
  const entries = Object.entries(changed);
  if (names.length !== entries.length) return changed;
  return Object.fromEntries(
    entries.map(([name, each], index) => {
      const own = names[index] ?? name;
      return [name, merged(partOf(marked, own), original[own], each)];
    }),
  );
}

function partOf(value: unknown, name: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
