import { pointerParts } from '../../json-schema/pointer.js';
import { visible } from '../../pages/toolkit/words.js';
import { isRecord } from '../../contracts/validate/index.js';
import {
  followsName,
  insideResult,
  isOfSchema,
  isVerbatim,
  MASK,
  maskOf,
  maskString,
  maskText,
  shownAs,
} from '../../contracts/validate/secrets/index.js';
import type { Inside } from '../../contracts/validate/secrets/index.js';

export interface PrintOptions {
  readonly showSecrets: boolean;
  /** The method that the message answers. */
  readonly answers: string | undefined;
  /** About this many characters; beyond, only what pointers lead to is printed. */
  readonly budget: number;
  /** JSON pointers (RFC 6901) of parts whose lines are wanted. */
  readonly pointers: readonly string[];
}

export interface Printed {
  /** Lines of pretty-printed JSON, indented with tabs. Secrets are masked, and long parts are cut. */
  readonly text: string;
  /** For each pointer, its first and last line, from 0, and whether its value is masked. */
  readonly places: readonly (Place | undefined)[];
  /** The number of masked values. */
  readonly masked: number;
  /** Masked texts, which no other text about the message may contain. */
  readonly secrets: readonly string[];
  readonly isCut: boolean;
}

export interface Place {
  readonly first: number;
  readonly last: number;
  readonly isMasked: boolean;
}

const DEEPEST = 100;
const MOST_LINES = 4_000;
/** Entries of one object or array. */
const MOST_ENTRIES = 500;
const LONGEST_KEY = 200;
const LONGEST_TEXT = 2_000;
/** Of a text beyond the budget. */
const LONGEST_REST = 120;
const MOST_SECRETS = 1_000;

/** A pointer on the way to its part. */
interface Wanted {
  readonly index: number;
  readonly tokens: readonly string[];
}

/** Prints a message, however deep and large, in bounded time and size. */
export function printMessage(value: unknown, options: PrintOptions): Printed {
  const wanted = options.pointers.map((pointer, index) => ({
    index,
    tokens: pointerParts(pointer),
  }));
  const printer = new Printer(options);
  printer.value(value, { before: '', after: '', inside: 'message', depth: 0 }, wanted);
  const { lines, masked, secrets, isCut } = printer;
  const places = wanted.map(({ index }) => printer.places[index]);
  return { text: lines.join('\n'), places, masked, secrets, isCut };
}

/** The keys of the first entries and of wanted ones, with their positions. */
function keysOf(value: object, wanted: ReadonlySet<string>): [number, string][] {
  if (!Array.isArray(value)) {
    const keys = Object.keys(value).map((key, position): [number, string] => [position, key]);
    return keys.filter(([position, key]) => position < MOST_ENTRIES || wanted.has(key));
  }
  const first = Array.from({ length: Math.min(value.length, MOST_ENTRIES) }, (_, index) => index);
  const others = [...wanted]
    .map(Number)
    .filter((each) => each >= MOST_ENTRIES && each < value.length);
  return [...first, ...others.sort((a, b) => a - b)].map((index) => [index, String(index)]);
}

interface Spot {
  /** What precedes the value on its line. */
  readonly before: string;
  readonly after: string;
  readonly inside: Inside;
  readonly depth: number;
}

class Printer {
  readonly lines: string[] = [];
  readonly places: (Place | undefined)[] = [];
  readonly secrets: string[] = [];
  masked = 0;
  isCut = false;
  #size = 0;

  constructor(readonly options: PrintOptions) {}

  value(value: unknown, spot: Spot, wanted: readonly Wanted[]): void {
    const first = this.lines.length;
    if (Array.isArray(value)) this.#container(value, '[]', spot, wanted);
    else if (isRecord(value)) this.#container(value, '{}', spot, wanted);
    else this.#scalar(value, spot, wanted);
    this.#note(wanted, spot.depth, first, spot.inside === 'hidden');
  }

  /** Notes the lines of pointers that end here, or that lead no further. */
  #note(wanted: readonly Wanted[], depth: number, first: number, isMasked: boolean): void {
    const last = Math.max(first, this.lines.length - 1);
    for (const { index, tokens } of wanted) {
      if (tokens.length === depth) this.places[index] = { first, last, isMasked };
      // The part is missing, because this value has no parts.
      else this.places[index] ??= { first, last: first, isMasked };
    }
  }

  #scalar(value: unknown, { before, after, inside }: Spot, wanted: readonly Wanted[]): void {
    if (inside === 'hidden' && maskOf(value) === MASK) this.#secret(value, before, after, wanted);
    else if (typeof value === 'string')
      this.#line(`${before}${this.#string(value, inside)}${after}`);
    else this.#line(`${before}${JSON.stringify(value) ?? 'null'}${after}`);
  }

  #string(text: string, inside: Inside): string {
    const shown = this.options.showSecrets || isVerbatim(inside) ? text : maskString(text);
    if (shown !== text && shown.includes(MASK)) this.masked += 1;
    return JSON.stringify(this.#cut(shown, text.length));
  }

  #cut(shown: string, length: number): string {
    const most = this.#isOver ? LONGEST_REST : LONGEST_TEXT;
    if (shown.length <= most) return shown;
    this.isCut = true;
    return `${shown.slice(0, most)}… (${length.toLocaleString('en')} characters)`;
  }

  #container(
    value: object,
    [open = '', close = '']: string,
    { before, after, inside, depth }: Spot,
    wanted: readonly Wanted[],
  ): void {
    const length = Array.isArray(value) ? value.length : Object.keys(value).length;
    if (length === 0) {
      this.#line(`${before}${open}${close}${after}`);
      return;
    }
    const below = wanted.filter(({ tokens }) => tokens.length > depth);
    if (depth >= DEEPEST) {
      this.#cutLine(`${before}${open} … ${close}${after}`);
    } else {
      this.#line(`${before}${open}`);
      this.#entries(value, length, { inside, depth, before, after }, below);
      this.#line(`${'\t'.repeat(depth)}${close}${after}`);
    }
  }

  #entries(value: object, length: number, spot: Spot, wanted: readonly Wanted[]): void {
    const { depth } = spot;
    const indent = '\t'.repeat(depth + 1);
    const wantedKeys = new Set(wanted.map(({ tokens }) => tokens[depth] ?? ''));
    const keys = keysOf(value, wantedKeys);
    let printed = 0;
    for (const [position, key] of keys) {
      const isWanted = wantedKeys.has(key) && this.lines.length < MOST_LINES;
      if (!isWanted && (this.#isOver || position >= MOST_ENTRIES)) continue;
      printed += 1;
      const after = position === length - 1 ? '' : ',';
      const on = isWanted ? wanted.filter(({ tokens }) => tokens[depth] === key) : [];
      this.#entry(value, key, { ...spot, before: indent, after }, on);
    }
    const skipped = length - printed;
    if (skipped > 0) this.#cutLine(`${indent}… ${skipped.toLocaleString('en')} more`);
  }

  #entry(value: object, key: string, spot: Spot, wanted: readonly Wanted[]): void {
    const part = (value as Readonly<Record<string, unknown>>)[key];
    const isList = Array.isArray(value);
    const before = isList ? spot.before : `${spot.before}${this.#key(key, spot.inside)}: `;
    const shown = this.#shown(value, key, part, spot);
    const depth = spot.depth + 1;
    if (shown === MASK) {
      this.#secret(part, before, spot.after, wanted);
      return;
    }
    this.value(part, { before, after: spot.after, inside: shown, depth }, wanted);
  }

  #shown(value: object, key: string, part: unknown, { inside, depth }: Spot): Inside | typeof MASK {
    const { showSecrets, answers } = this.options;
    if (showSecrets) return 'message';
    if (!isRecord(value)) {
      const previous = (value as readonly unknown[])[Number(key) - 1];
      return followsName(previous, inside) ? maskOf(part) : inside;
    }
    const shown = shownAs(key, part, value, inside);
    return depth === 0 && key === 'result' && shown === 'message'
      ? insideResult(part, answers)
      : shown;
  }

  #secret(value: unknown, before: string, after: string, wanted: readonly Wanted[]): void {
    const line = this.lines.length;
    this.masked += 1;
    this.#collect(value, 0);
    this.#line(`${before}${JSON.stringify(MASK)}${after}`);
    for (const { index } of wanted)
      this.places[index] = { first: line, last: line, isMasked: true };
  }

  #collect(value: unknown, depth: number): void {
    if (this.secrets.length >= MOST_SECRETS || depth > DEEPEST) return;
    if (typeof value === 'object' && value !== null) {
      for (const each of Object.values(value)) this.#collect(each, depth + 1);
    } else if (typeof value === 'string' || typeof value === 'number') {
      this.secrets.push(String(value));
    }
  }

  #key(key: string, inside: Inside): string {
    const shown = this.options.showSecrets || isOfSchema(inside) ? key : maskText(key);
    if (shown.length <= LONGEST_KEY) return JSON.stringify(shown);
    this.isCut = true;
    return JSON.stringify(`${shown.slice(0, LONGEST_KEY)}…`);
  }

  get #isOver(): boolean {
    return this.#size > this.options.budget || this.lines.length >= MOST_LINES;
  }

  #cutLine(text: string): void {
    this.isCut = true;
    this.#line(text);
  }

  #line(text: string): void {
    const line = visible(text);
    this.lines.push(line);
    this.#size += line.length + 1;
  }
}
