import { sep } from 'node:path';

/** A shell replaces `~` and `=` at the beginning of a word. */
const PLAIN = sep === '/' ? /^(?![~=])[\w.,:@%+=~/-]+$/ : /^(?![~=])[\w.,:@%+=~/\\-]+$/;

/** A text as one word of a POSIX shell; on Windows, paths stay as they are. */
export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
