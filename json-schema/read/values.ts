import type { Format, JsonValue } from '../model.js';
import { nearest } from '../nearest.js';
import { quote } from '../text.js';
import { isFormat } from '../model.js';
import { isRefusal, readPattern } from '../pattern/index.js';
import { member } from '../json.js';
import type { JsonObject } from '../json.js';
import { ANNOTATIONS, CONTAINERS, draftsOf, keywordIn, KEYWORDS } from './keywords.js';
import type { At, Reader } from './reader.js';
import type { SchemaProblem } from './report.js';
import type { Path, Place } from './resources.js';

/** The keywords of one schema object that have a meaning here. A malformed one is reported, and has none. */
export interface Values {
  readonly schema: JsonObject;
  has(name: string): boolean;
  value(name: string): JsonValue | undefined;
  text(name: string): string | undefined;
  /** The numbers of those of these keywords that are present. */
  numbers<K extends string>(...names: readonly K[]): { [P in K]?: number };
  readonly format: Format | undefined;
  /** A pattern in the grammar of the flag `u`; undefined, and reported, when it cannot be matched. */
  pattern(text: string, ...below: Path): string | undefined;
}

export function values({ place }: At, reader: Reader): Values {
  const { report, annotations } = reader;
  const schema = place.schema as JsonObject;
  const { draft, asserts } = place.resource;
  const checked = new Map<string, boolean>();

  function isSound(name: string): boolean {
    const content = member(schema, name);
    const keyword = keywordIn(draft, name);
    if (content === undefined || !keyword || (keyword.asserts && !asserts)) return false;
    const fault = keyword.check(content);
    if (fault === undefined) return true;
    const message = `"${name}" ${fault}.`;
    report({ code: 'malformed-keyword', message, harmless: CONTAINERS.has(name) }, place, name);
    return false;
  }

  function has(name: string): boolean {
    if (!Object.hasOwn(schema, name)) return false;
    let sound = checked.get(name);
    if (sound === undefined) checked.set(name, (sound = isSound(name)));
    return sound;
  }

  const value = (name: string): JsonValue | undefined =>
    has(name) ? member(schema, name) : undefined;
  noteUnknown(place, reader);
  const format = value('format');
  if (typeof format === 'string' && !isFormat(format) && !annotations.has(format)) {
    report(
      harmless(`The format ${quote(format)} is unknown, so any string is valid.`),
      place,
      'format',
    );
  }
  return {
    schema,
    has,
    value,
    text: (name) => value(name) as string | undefined,
    numbers: <K extends string>(...names: readonly K[]) =>
      Object.fromEntries(names.filter(has).map((name) => [name, value(name)])) as {
        [P in K]?: number;
      },
    format: isFormat(format) ? format : undefined,
    pattern(text, ...below) {
      const pattern = readPattern(text);
      if (isRefusal(pattern)) {
        report(unmatchable(text, pattern.reason), place, ...below);
        return undefined;
      }
      if (pattern.letters) report(meaningless(text, pattern.letters), place, ...below);
      return pattern.source;
    },
  };
}

/** Unknown keywords are annotations, but may be misspelt. */
function noteUnknown(place: Place, { report, annotations }: Reader): void {
  const { draft } = place.resource;
  for (const name of Object.keys(place.schema)) {
    if (keywordIn(draft, name) || ANNOTATIONS.has(name) || annotations.has(name)) continue;
    if (name.startsWith('x-')) continue;
    const elsewhere = draftsOf(name);
    const known = elsewhere ? `belongs to ${elsewhere}, not to ${draft}` : 'is unknown';
    const meant = elsewhere ? undefined : nearest(name, [...KEYWORDS.keys()]);
    report(
      {
        ...harmless(`The keyword ${quote(name)} ${known}, so it changes nothing.`),
        ...(meant !== undefined && { help: `Did you mean ${quote(meant)}?` }),
      },
      place,
      name,
    );
  }
}

const meaningless = (pattern: string, letters: readonly string[]): SchemaProblem =>
  harmless(
    `In the pattern ${quote(pattern)}, ${letters.map((each) => `\\${each} is the letter ${each}`).join(', ')}.`,
  );

const unmatchable = (pattern: string, reason: string): SchemaProblem => ({
  code: 'unmatchable-pattern',
  message: `The pattern ${quote(pattern)} may take very long to match, because ${reason}.`,
  help: 'Write it without back-references, and with smaller repetitions.',
});

const harmless = (message: string): SchemaProblem => ({
  code: 'unsupported-keyword',
  message,
  harmless: true,
});
