import { html, raw, type Html } from './html.js';
import { wrapped, type Drawing } from './panel.js';

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
  const each = Math.max(...drawings.map((drawing) => drawing.width));
  const width = 2 * MARGIN + columns * each + (columns - 1) * GAP;
  let top = MARGIN;
  for (let first = 0; first < drawings.length; first += columns) {
    const line = drawings.slice(first, first + columns);
    for (const [column, { content }] of line.entries()) {
      const left = MARGIN + column * (each + GAP);
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
.name, .value { font-size: 12px; fill: var(--text); paint-order: stroke; stroke: var(--ground); stroke-width: 3px; }
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
