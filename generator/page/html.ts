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

/** Characters that change direction or are no text are shown as escapes, because they can hide others. */
export function visible(text: string): string {
  return text.replace(UNPRINTABLE, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return `\\u${code.padStart(4, '0')}`;
  });
}

const UNPRINTABLE =
  // eslint-disable-next-line no-control-regex -- these are the characters to find
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text with `code` between backticks. A backtick without a partner stays. */
export function withCode(text: string): Value[] {
  return text
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

export function joined(values: readonly Value[], separator: Value): Value[] {
  return values.flatMap((value, index) => (index === 0 ? [value] : [separator, value]));
}
