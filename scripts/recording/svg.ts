import type { Cell, Row } from './terminal.js';
import { type Shown, type Timeline, TYPING } from './timeline.js';

const COLUMN = 8.4;
const LINE = 20;
const MARGIN = 16;
const BAR = 32;
/** A command appears this many characters at a time. */
const TYPED = 4;

/** Colours: light, dark. */
const PALETTE: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  text: ['#1f2328', '#e6edf3'],
  back: ['#f6f8fa', '#0d1117'],
  line: ['#d1d9e0', '#3d444d'],
  red: ['#c21c2c', '#ff7b72'],
  green: ['#116329', '#56d364'],
  yellow: ['#7d4e00', '#e3b341'],
  blue: ['#0550ae', '#79c0ff'],
  magenta: ['#8250df', '#d2a8ff'],
  cyan: ['#1b6f7e', '#56d4dd'],
  dim: ['#59636e', '#9198a1'],
};

export interface Picture {
  readonly columns: number;
  readonly rows: number;
  readonly title: string;
}

/** The timeline as an image that loads nothing. Without animation it shows the last screen. */
export function svgOf(timeline: Timeline, { columns, rows, title }: Picture): string {
  const width = Math.ceil(columns * COLUMN) + 2 * MARGIN;
  const height = rows * LINE + MARGIN + BAR;
  const times = new Times(timeline.length);
  const rowsOfText = [...timeline.shown]
    .sort((a, b) => a.row - b.row || a.from - b.from)
    .filter(({ cells }) => cells.some(({ character }) => character !== ' '))
    .map((shown) => textOf(shown, times))
    .join('\n');
  const scroll = timeline.scrolls.map(({ at, top }) => `${times.at(at)}{transform:${up(top)}}`);
  const final = timeline.scrolls.at(-1)?.top ?? 0;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(title)}">
<style>
svg{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;${variables(0)}}
@media (prefers-color-scheme:dark){svg{${variables(1)}}}
text{fill:var(--text);white-space:pre}
${Object.keys(PALETTE)
  .slice(3)
  .map((name) => `.${name}{fill:var(--${name})}`)
  .join('')}.bold,.c{font-weight:600}
.w{fill:var(--back);stroke:var(--line)}
.h{visibility:hidden}
#s{transform:${up(final)}}
#s,.a{animation:s ${timeline.length.toFixed(2)}s step-end infinite}
@keyframes s{${scroll.join('')}}
${times.css()}
@media (prefers-reduced-motion:reduce){#s,.a{animation:none}}
</style>
<rect class="w" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8"/>
<text class="dim" x="${width / 2}" y="21" text-anchor="middle">${escape(title)}</text>
<svg x="${MARGIN}" y="${BAR}" width="${width - 2 * MARGIN}" height="${rows * LINE}">
<g id="s">
${rowsOfText}
</g>
</svg>
</svg>
`;
}

const up = (rows: number): string => `translateY(${-rows * LINE}px)`;

const variables = (theme: 0 | 1): string =>
  Object.entries(PALETTE)
    .map(([name, colours]) => `--${name}:${colours[theme]}`)
    .join(';');

/** The keyframes: one for each time at which something appears, or is replaced. */
class Times {
  readonly #frames = new Map<string, string>();
  readonly #length: number;

  constructor(length: number) {
    this.#length = length;
  }

  at(seconds: number): string {
    return `${Number(((seconds / this.#length) * 100).toFixed(2))}%`;
  }

  /** The classes of something that is visible for a time. */
  classOf(from: number, until?: number): string {
    const end = until === undefined ? '' : `${this.at(until)}{visibility:hidden}`;
    const frame = `0%{visibility:hidden}${this.at(from)}{visibility:visible}${end}`;
    const name = this.#frames.get(frame) ?? `k${this.#frames.size.toString(36)}`;
    this.#frames.set(frame, name);
    return until === undefined ? `a ${name}` : `a h ${name}`;
  }

  css(): string {
    return [...this.#frames]
      .map(([frame, name]) => `.${name}{animation-name:${name}}@keyframes ${name}{${frame}}`)
      .join('\n');
  }
}

function textOf(shown: Shown, times: Times): string {
  const y = shown.row * LINE + 15;
  const { cells, from, until, isCommand } = shown;
  if (isCommand) {
    const parts = piecesOf(cells).map(({ text, column }) => {
      const appears = times.classOf(from + column * TYPING);
      return `<tspan class="${appears}">${escape(text)}</tspan>`;
    });
    return `<text class="c" y="${y}" textLength="${lengthOf(cells.length)}">${parts.join('')}</text>`;
  }
  const runs = runsOf(cells).map(({ text, style, column }) => {
    const kind = style === '' ? '' : ` class="${style}"`;
    const x = column === 0 ? '' : ` x="${lengthOf(column)}"`;
    return `<tspan${kind}${x} textLength="${lengthOf([...text].length)}">${escape(text)}</tspan>`;
  });
  return `<text class="${times.classOf(from, until)}" y="${y}">${runs.join('')}</text>`;
}

const lengthOf = (columns: number): string => String(Number((columns * COLUMN).toFixed(1)));

interface Run {
  readonly text: string;
  readonly style: string;
  readonly column: number;
}

/** The parts of a row that have one style, without the spaces around them. */
function runsOf(cells: Row): Run[] {
  const runs: Run[] = [];
  for (const [column, { character, style }] of cells.entries()) {
    const last = runs.at(-1);
    if (last?.style === style) runs.splice(-1, 1, { ...last, text: last.text + character });
    else runs.push({ text: character, style, column });
  }
  return runs.flatMap(({ text, style, column }) => {
    const trimmed = text.trim();
    const spaces = text.length - text.trimStart().length;
    return trimmed === '' ? [] : [{ text: trimmed, style, column: column + spaces }];
  });
}

function piecesOf(cells: Row): Omit<Run, 'style'>[] {
  const text = cells.map(({ character }: Cell) => character).join('');
  const pieces = text.match(new RegExp(`.{1,${TYPED}}`, 'gu')) ?? [];
  return pieces.map((piece, index) => ({ text: piece, column: index * TYPED }));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escape = (text: string): string => text.replace(/[&<>"]/g, (each) => ENTITIES[each] ?? each);
