import { visible } from '../../pages/toolkit/index.js';

/** A piece of HTML. Only `html` and `raw` make one, so every text that is not one is escaped. */
export class Html {
  constructor(readonly text: string) {}
}

export type Value = Html | string | number | false | undefined | readonly Value[];

/** `html\`<b>${name}</b>\``: values are escaped for content and quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.map((part, index) => part + textOf(values[index])).join(''));
}

/** HTML that was written by us, such as the style of the page. */
export const raw = (text: string): Html => new Html(text);

function textOf(value: Value): string {
  if (value instanceof Html) return value.text;
  if (value === undefined || value === false) return '';
  if (typeof value === 'object') return value.map(textOf).join('');
  return escaped(String(value));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
