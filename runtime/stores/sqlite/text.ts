/**
 * Texts for a database that keeps UTF-8. A string with a lone surrogate has no UTF-8: two such owners would
 * become one. It is kept as a mark and JSON, which escapes the surrogate; so is a string that begins with the mark.
 */
const MARK = '\u0001json:';

export function encodeText(text: string): string {
  const plain = !text.startsWith(MARK) && isWellFormed(text);
  return plain ? text : MARK + JSON.stringify(text);
}

export function decodeText(text: string): string {
  return text.startsWith(MARK) ? (JSON.parse(text.slice(MARK.length)) as string) : text;
}

/** Node.js has it; the declarations of ES2023 do not. */
function isWellFormed(text: string): boolean {
  return (text as unknown as { isWellFormed(): boolean }).isWellFormed();
}
