import { html, raw, type Html } from '../../generator/explore/html.js';
import type { Row } from '../bench.js';
import { amount, OURS, valueOf, type Figure } from '../figure.js';
import { scaleOf, spreadOf } from './scale.js';

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
const TITLE = 56;

/** One row: for each contender its name, its value, and a bar or dot with the spread of its samples. */
export function panel(row: Drawn): Drawing {
  const { figure } = row;
  const scale = scaleOf(figure);
  const x = (value: number): number => round(scale.at(value) * WIDTH);
  const lines = wrapped(row.row, TITLE);
  const goalsTop = lines.length * LINE + 20;
  const barsTop = goalsTop + figure.goals.length * GOAL + 4;
  const bottom = barsTop + figure.bars.length * BAR;

  const goals = figure.goals.map(({ at, says }, index) => {
    const [left, top] = [x(at), goalsTop + index * GOAL];
    const end = left > WIDTH / 2;
    return html`<path class="goal" d="M${left} ${top - 2}V${bottom}" /><text
        class="goal-text"
        x="${left + (end ? -5 : 5)}"
        y="${top + 8}"
        ${raw(end ? 'text-anchor="end"' : '')}
        >goal: ${says}${relative(says) && ` (${amount(at, '').trim()})`}</text
      >`;
  });

  const bars = figure.bars.map((bar, index) => {
    const top = barsTop + index * BAR;
    const middle = top + 21;
    const value = valueOf(bar, figure.shown);
    const { low, first, median, third, high } = spreadOf(bar.samples, figure.shown);
    const kind = bar.name === OURS ? 'ours' : 'peer';
    const mark = scale.logarithmic
      ? html`<circle class="${kind}" cx="${x(value)}" cy="${middle}" r="5" />`
      : html`<rect class="${kind}" x="0" y="${middle - 5}" width="${x(value)}" height="10" />`;
    return html`<text class="name ${kind}-text" x="0" y="${top + 12}">${bar.name}</text
      ><text class="value ${kind}-text" x="${WIDTH}" y="${top + 12}" text-anchor="end"
        >${amount(value, figure.unit)}</text
      >${mark}<path class="range" d="M${x(low)} ${middle}H${x(high)}" /><path
        class="box"
        d="M${x(first)} ${middle - 3}H${x(third)}V${middle + 3}H${x(first)}ZM${x(median)} ${middle - 5}V${middle + 5}"
      />`;
  });

  const ticks = scale.ticks.map((tick) => {
    const place = scale.at(tick);
    const anchor = place < 0.03 ? 'start' : place > 0.97 ? 'end' : 'middle';
    return html`<path class="grid" d="M${x(tick)} ${barsTop}V${bottom + 4}" /><text
        class="tick"
        x="${x(tick)}"
        y="${bottom + 16}"
        text-anchor="${anchor}"
        >${Number(tick.toPrecision(6)).toLocaleString('en')}</text
      >`;
  });

  return {
    width: WIDTH,
    height: bottom + AXIS,
    title: row.row,
    says: inWords(row),
    content: html`${lines.map(
        (line, index) => html`<text class="title" x="0" y="${12 + index * LINE}">${line}</text>`,
      )}<text class="note" x="0" y="${12 + lines.length * LINE}"
        >${legend(figure, scale.logarithmic)}</text
      >${ticks}${bars}${goals}`,
  };
}

const relative = (says: string): boolean => says.startsWith('≥');

function legend({ unit, better, shown }: Figure, logarithmic: boolean): string {
  const what = shown === 'p99' ? '99th percentile' : 'median';
  return `${what}, ${unit}; ${better} is better${logarithmic ? '; logarithmic' : ''}`;
}

/** The figures of a row as one sentence, for those who do not see the drawing. */
export function inWords({ figure }: Drawn): string {
  const bars = figure.bars.map((bar) => {
    const { low, high } = spreadOf(bar.samples, figure.shown);
    const value = amount(valueOf(bar, figure.shown), figure.unit);
    return `${bar.name}: ${value}, from ${amount(low, figure.unit)} to ${amount(high, figure.unit)}`;
  });
  const goals = figure.goals.map(({ says, at }) => `goal ${says}, at ${amount(at, figure.unit)}`);
  return `${legend(figure, false)}. ${[...bars, ...goals].join('. ')}.`;
}

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
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

/** An SVG without a style, to be part of a page. `id` has to be unique in it. */
export function inline({ width, height, content, title, says }: Drawing, id: string): Html {
  return html`<svg
    role="img"
    aria-labelledby="${id}-title ${id}-text"
    viewBox="0 0 ${width} ${height}"
    xmlns="http://www.w3.org/2000/svg"
  >
    <title id="${id}-title">${title}</title>
    <desc id="${id}-text">${says}</desc>
    ${content}
  </svg>`;
}

const GAP = 32;
const MARGIN = 20;
const FOOT = 22;

/** Drawings in a grid on a card, as a file of its own, with a line on the machine. */
export function svgFile(
  title: string,
  drawings: readonly Drawing[],
  foot: string,
  columns = Math.min(drawings.length, 2),
): string {
  const parts: Html[] = [];
  const width = 2 * MARGIN + columns * WIDTH + (columns - 1) * GAP;
  let top = MARGIN;
  for (let first = 0; first < drawings.length; first += columns) {
    const line = drawings.slice(first, first + columns);
    for (const [column, { content }] of line.entries()) {
      const left = MARGIN + column * (WIDTH + GAP);
      parts.push(html`<g transform="translate(${left} ${top})">${content}</g> `);
    }
    top += Math.max(...line.map(({ height }) => height)) + 18;
  }
  const feet = wrapped(foot, columns * 72);
  const height = top + feet.length * 15 + MARGIN - FOOT / 2;
  const says = drawings.map((each) => `${each.title}: ${each.says}`).join(' ');
  return html`<svg
    role="img"
    aria-labelledby="title text"
    width="${width}"
    height="${height}"
    viewBox="0 0 ${width} ${height}"
    xmlns="http://www.w3.org/2000/svg"
  >
    <title id="title">${title}</title>
    <desc id="text">${says}</desc>
    ${raw(`<style>${FILE_STYLE}</style>`)}
    <rect class="card" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" />
    ${parts}${feet.map(
      (line, index) =>
        html`<text class="note" x="${MARGIN}" y="${top + 8 + index * 15}">${line}</text>`,
    )}
  </svg> `.text;
}

/** The style of drawings, with the colours of the page or of the file. */
export const DRAWING_STYLE = `
svg { font-family: system-ui, -apple-system, "Segoe UI", sans-serif; font-variant-numeric: tabular-nums; }
.title { font-size: 13px; font-weight: 600; fill: var(--text); }
.note, .tick { font-size: 11px; fill: var(--quiet); }
.name, .value { font-size: 12px; fill: var(--text); }
.ours-text { font-weight: 600; }
.ours { fill: var(--ours); }
.peer { fill: var(--peer); }
.goal { fill: none; stroke: var(--goal); stroke-width: 1.5; stroke-dasharray: 4 3; }
.goal-text { font-size: 11px; fill: var(--goal); }
.range { fill: none; stroke: var(--text); stroke-width: 1; }
.box { fill: none; stroke: var(--text); stroke-width: 1; }
.grid { fill: none; stroke: var(--grid); stroke-width: 1; }
`;

export const LIGHT = `--ground: #ffffff; --raised: #f4f5f7; --text: #1b1f24; --quiet: #505a66; --grid: #dfe3e8;
  --line: #c6ccd4; --link: #0a4fb0; --ours: #4b8fe2; --peer: #b4bcc6; --goal: #a3152b; --strong: #1a6334;`;
export const DARK = `--ground: #14171b; --raised: #1e2329; --text: #e7eaee; --quiet: #aeb7c2; --grid: #2b323a;
  --line: #434c57; --link: #86b7ff; --ours: #2f6fbf; --peer: #56606c; --goal: #ff9aa6; --strong: #7fd99a;`;

const FILE_STYLE = `
:root { ${LIGHT} }
@media (prefers-color-scheme: dark) { :root { ${DARK} } }
.card { fill: var(--ground); stroke: var(--line); }
${DRAWING_STYLE}`;
