import { INVISIBLE } from './format/layout.js';

/** Untrusted text, escaped for a block comment. */
export function commentText(text: string): string {
  return text
    .replaceAll('*/', '*\\/')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .replace(INVISIBLE, '')
    .split('\n')
    .slice(0, MOST_LINES)
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

/**
 * Lines of a comment; longer texts are cut, because json-schema-to-typescript passes each line as an
 * argument.
 */
const MOST_LINES = 10_000;

/** A doc comment with the lines of the text, or nothing without text. */
export function docComment(text: string | undefined, indent = ''): string {
  const clean = commentText(text ?? '');
  if (!clean) return '';
  const lines = clean.split('\n').map((line) => `${indent} *${line && ` ${line}`}`);
  return [`${indent}/**`, ...lines, `${indent} */`, ''].join('\n');
}
