import { html, type Html } from './html.js';
import type { Row } from '../bench.js';
import type { Bar, Figure, Goal } from '../figure.js';
import { amount, OURS, valueOf } from '../measured.js';
import { scaleOf, spreadOf, type Scale } from './scale.js';

/** A drawing of given size, to be placed in an SVG. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly content: Html;
  /** What it shows, in words. */
  readonly title: string;
  readonly says: string;
}

export type Drawn = Row & { readonly figure: Figure };

export const isDrawn = (row: Row): row is Drawn => row.figure !== undefined;

const WIDTH = 400;
/** Lengths in a panel, from top to bottom. */
const LINE = 17;
const GOAL = 14;
const BAR = 30;
const AXIS = 26;
/** Characters that fit into a line of the title. */
const TITLE = 50;
/** The radius of a dot. */
const DOT = 5;
/** A longer unit is only in the legend. */
const SHORT = 4;

/** One row: for each contender its name, its value, and a bar or dot with the spread of its samples. */
export function panel(row: Drawn): Drawing {
  const { figure } = row;
  const lines = wrapped(row.row, TITLE);
  const goals = lines.length * LINE + 20;
  const bars = goals + figure.goals.length * GOAL + 4;
  const bottom = bars + figure.bars.length * BAR;
  const scale = scaleOf(figure);
  const inset = scale.logarithmic ? DOT + 1 : 0;
  const x: Place = (value) => round(inset + scale.at(value) * (WIDTH - 2 * inset));
  const title = lines.map(
    (line, index) => html`<text class="title" x="0" y="${12 + index * LINE}">${line}</text>`,
  );
  return {
    width: WIDTH,
    height: bottom + AXIS,
    title: row.row,
    says: inWords(row),
    content: html`${title}<text class="note" x="0" y="${12 + lines.length * LINE}"
        >${legend(figure, scale.logarithmic)}</text
      >${scale.ticks.map((tick) => tickAt(tick, x, bars, bottom))}${figure.goals.map(
        (goal, index) => goalAt(goal, x, goals + index * GOAL, bottom),
      )}${figure.bars.map((bar, index) => barAt(bar, figure, scale, x, bars + index * BAR))}`,
  };
}

/** The horizontal place of a value. */
type Place = (value: number) => number;

const text = (kind: string, x: number, y: number, anchor: string, says: string): Html =>
  html`<text class="${kind}" x="${x}" y="${y}" text-anchor="${anchor}">${says}</text>`;

const path = (kind: string, d: string): Html => html`<path class="${kind}" d="${d}" />`;

function tickAt(tick: number, x: Place, top: number, bottom: number): Html {
  const left = x(tick);
  const anchor = left < 12 ? 'start' : left > WIDTH - 12 ? 'end' : 'middle';
  const says = Number(tick.toPrecision(6)).toLocaleString('en', { maximumFractionDigits: 6 });
  return html`${path('grid', `M${left} ${top}V${bottom + 4}`)}${text(
    'tick',
    left,
    bottom + 16,
    anchor,
    says,
  )}`;
}

function goalAt({ at, says }: Goal, x: Place, top: number, bottom: number): Html {
  const left = x(at);
  const before = left > WIDTH / 2;
  // The place of a goal beside a peer follows from the peer's value.
  const value = says.startsWith('≥') ? ` (${amount(at, '')})` : '';
  return html`${path('goal', `M${left} ${top - 2}V${bottom}`)}${text(
    'goal-text',
    left + (before ? -5 : 5),
    top + 8,
    before ? 'end' : 'start',
    `goal: ${says}${value}`,
  )}`;
}

function barAt(bar: Bar, { unit, shown }: Figure, scale: Scale, x: Place, top: number): Html {
  const middle = top + 21;
  const value = valueOf(bar, shown);
  const { low, first, median, third, high } = spreadOf(bar.samples, shown);
  const kind = bar.name === OURS ? 'ours' : 'peer';
  const box = `M${x(first)} ${middle - 3}H${x(third)}V${middle + 3}H${x(first)}Z`;
  const stroke = `M${x(median)} ${middle - 5}V${middle + 5}`;
  const says = amount(value, unit.length > SHORT ? '' : unit);
  const range = path('range', `M${x(low)} ${middle}H${x(high)}`);
  const mark = scale.logarithmic
    ? html`${range}${path('box', box)}<circle
          class="${kind}"
          cx="${x(value)}"
          cy="${middle}"
          r="${DOT}"
        />`
    : html`<rect
          class="${kind}"
          x="0"
          y="${middle - 5}"
          width="${x(value)}"
          height="10"
        />${range}${path('box', box + stroke)}`;
  return html`${text(`name ${kind}-text`, 0, top + 12, 'start', bar.name)}${text(
    `value ${kind}-text`,
    WIDTH,
    top + 12,
    'end',
    says,
  )}${mark} `;
}

function legend({ unit, better, shown }: Figure, logarithmic: boolean): string {
  const what = shown === 'p99' ? '99th percentile' : 'median';
  return `${what}, ${unit}; ${better} is better${logarithmic ? '; logarithmic' : ''}`;
}

/** The figures of a row as one text, for those who do not see the drawing. */
function inWords({ figure }: Drawn): string {
  const bars = figure.bars.map((bar) => {
    const { low, high } = spreadOf(bar.samples, figure.shown);
    const value = amount(valueOf(bar, figure.shown), figure.unit);
    return `${bar.name}: ${value}, from ${amount(low, figure.unit)} to ${amount(high, figure.unit)}`;
  });
  const goals = figure.goals.map(({ says, at }) => `goal ${says}, at ${amount(at, figure.unit)}`);
  return `${legend(figure, false)}. ${[...bars, ...goals].join('. ')}.`;
}

/** Lines of at most `width` characters. */
export function wrapped(words: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of words.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}

const round = (value: number): number => Math.round(value * 10) / 10;
