import type { Format, JsonValue } from '../model.js';
import { nearest } from '../nearest.js';
import { quote } from '../text.js';
import { isFormat } from '../model.js';
import { isRefusal, readPattern } from '../pattern/index.js';
import type { PatternRefusal } from '../pattern/index.js';
import { isObject, member } from '../json.js';
import type { JsonObject } from '../json.js';
import { ANNOTATIONS, CONTAINERS, draftsOf, GROUPS, KEYWORDS, keywordsOf } from './keywords.js';
import type { Keyword } from './keywords.js';
import type { At, Reader } from './reader.js';
import type { SchemaProblem } from './report.js';
import { isLoneRef } from './resources.js';
import type { Path, Place } from './resources.js';

/** The keywords of one schema object that have a meaning here. A malformed one is reported, and has none. */
export class Values {
  readonly schema: JsonObject;
  readonly format: Format | undefined;
  /** Whether it has keywords that describe. */
  readonly describes: boolean;
  readonly #place: Place;
  readonly #reader: Reader;
  readonly #groups: number;
  readonly #ignored: ReadonlySet<string>;
  readonly #lost: ReadonlySet<string>;

  constructor({ place }: At, reader: Reader) {
    this.schema = place.schema as JsonObject;
    this.#place = place;
    this.#reader = reader;
    const { draft, asserts } = place.resource;
    const keywords = keywordsOf(draft);
    let groups = 0;
    let describes = false;
    let ignored: Set<string> | undefined;
    let lost: Set<string> | undefined;
    const isLone = reader.refSiblings === 'ignore' && isLoneRef(this.schema, draft);
    for (const name in this.schema) {
      if (!Object.prototype.hasOwnProperty.call(this.schema, name)) continue;
      const keyword = keywords.get(name);
      if (keyword === undefined) {
        (ignored ??= new Set()).add(name);
        if (ANNOTATIONS.has(name)) describes = true;
        else if (!reader.annotations.has(name)) noteUnknown(name, place, reader);
      } else if (isLone && name !== '$ref') {
        (ignored ??= new Set()).add(name);
      } else if (keyword.asserts && !asserts) {
        (ignored ??= new Set()).add(name);
      } else if (!isSound(name, keyword, place, reader)) {
        (ignored ??= new Set()).add(name);
        (lost ??= new Set()).add(name);
      } else if (keyword.group) groups |= GROUPS[keyword.group];
    }
    this.#ignored = ignored ?? NONE;
    this.#lost = lost ?? NONE;
    this.describes = describes;
    const format = this.value('format');
    this.format = isFormat(format) ? format : undefined;
    if (typeof format === 'string' && !this.format && !reader.annotations.has(format)) {
      const message = `The format ${quote(format)} is unknown, so any string is valid.`;
      reader.report(harmless(message), place, 'format');
    }
    this.#groups = this.format ? groups | GROUPS.string : groups;
  }

  /** Whether a keyword of one of these groups is present. */
  speaksOf(groups: number): boolean {
    return (this.#groups & groups) !== 0;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.schema, name) && (this.#ignored === NONE || !this.#ignored.has(name));
  }

  /** Whether it is present, and malformed. */
  lost(name: string): boolean {
    return this.#lost.has(name);
  }

  value(name: string): JsonValue | undefined {
    return this.has(name) ? this.schema[name] : undefined;
  }

  text(name: string): string | undefined {
    return this.value(name) as string | undefined;
  }

  /** Those of these keywords that are numbers. */
  numbers<K extends string>(...names: readonly K[]): { [P in K]?: number } {
    const found: { [P in K]?: number } = {};
    for (const name of names) {
      const value = this.value(name);
      if (typeof value === 'number') found[name] = value;
    }
    return found;
  }

  /** A pattern in the grammar of the flag `u`; undefined, and reported, when it cannot be matched. */
  pattern(text: string, ...below: Path): string | undefined {
    const pattern = readPattern(text);
    const { report } = this.#reader;
    if (isRefusal(pattern)) {
      report(unusable(text, pattern), this.#place, ...below);
      return undefined;
    }
    if (pattern.letters) report(meaningless(text, pattern.letters), this.#place, ...below);
    return pattern.source;
  }
}

const NONE: ReadonlySet<string> = new Set();

function isSound(name: string, keyword: Keyword, place: Place, { report }: Reader): boolean {
  const content = member(place.schema as JsonObject, name) ?? null;
  const fault = keyword.check(content);
  if (fault === undefined || (!CONTAINERS.has(name) && hasParts(keyword, content))) return true;
  const message = `"${name}" ${fault}.`;
  report({ code: 'malformed-keyword', message, harmless: CONTAINERS.has(name) }, place, name);
  return false;
}

/** Unknown keywords are annotations, but may be misspelt. */
function noteUnknown(name: string, place: Place, { report }: Reader): void {
  if (name.startsWith('x-')) return;
  const { draft } = place.resource;
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

const meaningless = (pattern: string, letters: readonly string[]): SchemaProblem =>
  harmless(
    `In the pattern ${quote(pattern)}, ${letters.map((each) => `\\${each} is the letter ${each}`).join(', ')}.`,
  );

function unusable(pattern: string, { kind, reason }: PatternRefusal): SchemaProblem {
  if (kind === 'invalid') {
    return { code: 'malformed-keyword', message: `${quote(pattern)} is not a regular expression.` };
  }
  return {
    code: 'unmatchable-pattern',
    message: `The pattern ${quote(pattern)} may take very long to match, because ${reason}.`,
    help: 'Write it without back-references, and with smaller repetitions.',
  };
}

/** Whether a malformed value has parts: those that are no schemas are reported where they are read. */
function hasParts({ holds }: Keyword, value: JsonValue): boolean {
  if (holds === 'map' || holds === 'schemas-or-names') return isObject(value);
  return holds !== undefined && holds !== 'schema' && Array.isArray(value) && value.length > 0;
}

const harmless = (message: string): SchemaProblem => ({
  code: 'unsupported-keyword',
  message,
  harmless: true,
});
