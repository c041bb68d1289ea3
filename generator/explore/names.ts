import { html } from '../page/index.js';
import type { Html, Value } from '../page/index.js';

/** The anchors of the page. They are kept, because other pages link to them. */
export type Place =
  | { readonly kind: 'type'; readonly name: string; readonly field?: string }
  | { readonly kind: 'method'; readonly name: string };

/** The id of a place, which is also its fragment in an address. */
export function idOf(place: Place): string {
  const field = place.kind === 'type' && place.field !== undefined ? `.${place.field}` : '';
  return `${place.kind}/${encodeURIComponent((place.name + field).replace(LONE, '\ufffd'))}`;
}

/** Half a character, which has no encoding. */
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export function link(place: Place, content: Value): Html {
  return html`<a href="#${idOf(place)}">${content}</a>`;
}

/** A link to a definition, if the page has it. */
export function typeLink(name: string, known: ReadonlySet<string>): Html {
  const content = html`<code>${name}</code>`;
  return known.has(name) ? link({ kind: 'type', name }, content) : content;
}
