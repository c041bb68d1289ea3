import { html } from '../page/index.js';
import type { Html, Value } from '../page/index.js';

/** A rectangle in a picture that is stretched to its place, with a text for the pointer. */
export function bar(
  name: string,
  [x, y, width, height]: readonly [number, number, number, number],
  title?: string,
): Html {
  const [left, top, wide, high] = [x, y, width, height].map((each) => each.toFixed(2));
  return html`<rect class="${name}" x="${left}" y="${top}" width="${wide}" height="${high}">
    ${title !== undefined && html`<title>${title}</title>`}
  </rect>`;
}

/** A picture without text, because it is stretched: `label` says what it shows. */
export function picture(
  name: string,
  width: number,
  height: number,
  label: string,
  parts: Value,
): Html {
  return html`<svg
    class="${name}"
    role="img"
    aria-label="${label}"
    viewBox="0 0 ${width} ${height}"
    preserveAspectRatio="none"
  >
    ${parts}
  </svg>`;
}
