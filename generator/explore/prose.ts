import { html, withCode } from '../page/index.js';
import type { Value } from '../page/index.js';
import { typeLink } from './names.js';

/** A description: paragraphs, `code`, and links such as `{@link Tool}`. Everything else is plain text. */
export function prose(text: string | undefined, known: ReadonlySet<string>): Value {
  if (text === undefined) return undefined;
  return text
    .split(/\n{2,}/)
    .map(
      (paragraph) =>
        html`<p>
          ${withCode(paragraph).map((part) => (typeof part === 'string' ? linked(part, known) : part))}
        </p>`,
    );
}

/** The name ends before the rest begins, so that a long text without an end is read once. */
const LINK = /\{@link ([\w$]+)(?![\w$])[^{}]*\}/;

function linked(text: string, known: ReadonlySet<string>): Value[] {
  return text.split(LINK).map((part, index) => (index % 2 === 1 ? typeLink(part, known) : part));
}
