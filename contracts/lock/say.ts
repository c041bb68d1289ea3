import type { JsonValue } from '../../json-schema/index.js';
import { printable, quote } from '../../json-schema/text.js';
import type { Change } from './change.js';
import { ENTRY } from './lists.js';
import { wordDiff } from './words.js';

const LONGEST = 300;

/** `tool "search"`, `the server`: what a change is about. */
export function sayEntry({ part, name }: Change): string {
  switch (part) {
    case 'tools':
    case 'prompts':
    case 'resources':
    case 'resourceTemplates':
      return name === undefined ? ENTRY[part] : `${ENTRY[part]} ${quote(name)}`;
    default:
      return part === 'server' || part === 'revision' ? 'the server' : `the ${part}`;
  }
}

/** `input city.name: …`: what changed, safe on a terminal. */
export function sayMessage({ direction, path, rule, message }: Change): string {
  const isSchema = rule === 'input' || rule === 'output';
  const place = isSchema ? [direction, path].filter((part) => part !== undefined).join(' ') : '';
  return printable(place === '' ? message : `${place}: ${message}`);
}

/** A value on one line, cut. */
function sayValue(value: JsonValue): string {
  const text = printable(JSON.stringify(value));
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** What shows or explains a verdict, and what a new text introduces, a line each. */
export function evidenceOf(change: Change): string[] {
  const hints = (change.introduces ?? []).map(
    ({ what, text }) => `introduces ${what}: ${sayValue(text)}`,
  );
  return [...proofOf(change), ...hints];
}

function proofOf({ witness, direction, reason, tried }: Change): string[] {
  if (witness) {
    const { pointer, reason: refusal } = witness.refusal;
    const at = pointer === '' ? 'it' : quote(pointer);
    const isInput = direction === 'input';
    return [
      `${isInput ? 'accepted before' : 'returned now'}: ${sayValue(witness.value)}`,
      `${isInput ? 'refused now' : 'not promised before'}: ${at} ${printable(refusal)}`,
    ];
  }
  if (reason !== undefined) return [`because ${printable(reason)}`];
  return tried === undefined ? [] : [`proved, and tried on ${String(tried)} generated values`];
}

/** A change of an entry on one line: what changed, what shows it, and the text diff. */
export function changeAsLine(change: Change): string {
  const diff = textDiff(change, MARKS);
  const parts = [sayMessage(change), ...evidenceOf(change), ...(diff === undefined ? [] : [diff])];
  return parts.join('; ');
}

/** Marks of what is gone and what is new. */
export interface Marks {
  readonly gone: (text: string) => string;
  readonly added: (text: string) => string;
}

/** Without colours, as `git diff --word-diff` has them. */
export const MARKS: Marks = {
  gone: (text) => `[-${text}-]`,
  added: (text) => `{+${text}+}`,
};

/** Characters of what did not change around a change. */
const AROUND = 60;
/** Characters of what changed. */
const SHOWN = 2_000;

/** Both values of a change as one text: `reads [-a file-]{+all files+}`; undefined when the change has none. */
export function textDiff({ before, after, rule }: Change, marks: Marks): string | undefined {
  if (before === undefined && after === undefined) return undefined;
  if (rule === 'revision') return undefined;
  const pieces = wordDiff(textOf(before), textOf(after));
  return pieces
    .map(({ kind, text }, index) => {
      if (kind === 'same') return shortened(printable(text), index > 0, index < pieces.length - 1);
      const shown = printable(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
      return kind === 'gone' ? marks.gone(shown) : marks.added(shown);
    })
    .join('');
}

function textOf(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The parts of an unchanged text that are next to a change. */
function shortened(text: string, isAfter: boolean, isBefore: boolean): string {
  if (text.length <= 2 * AROUND) return text;
  const [start, end] = [isAfter ? text.slice(0, AROUND) : '', isBefore ? text.slice(-AROUND) : ''];
  return `${start} … ${end}`.trim();
}
