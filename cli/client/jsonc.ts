/** JSON with comments and trailing commas, as VS Code writes it. @throws {SyntaxError} */
export function parseJsonc(text: string): unknown {
  return JSON.parse(plainJson(text.replace(/^\uFEFF/, ''))) as unknown;
}

/** A loop instead of a pattern: patterns take quadratic time for a file that a stranger made for that. */
function plainJson(text: string): string {
  const parts: string[] = [];
  /** The index in `parts` of a comma that nothing but space and comments has followed. */
  let comma: number | undefined;
  for (let at = 0; at < text.length;) {
    const end = endOf(text, at);
    const part = text.slice(at, end);
    at = end;
    if (part.startsWith('//') || part.startsWith('/*')) continue;
    if ((part === '}' || part === ']') && comma !== undefined) parts[comma] = '';
    if (part.trim() !== '') comma = part === ',' ? parts.length : undefined;
    parts.push(part);
  }
  return parts.join('');
}

/** The end of the string, the comment, the mark or the run of other characters that begins here. */
function endOf(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (text.startsWith('//', start)) return indexFrom(text, '\n', start, 0);
  if (text.startsWith('/*', start)) return indexFrom(text, '*/', start + 2, 2);
  if (first === ',' || first === '}' || first === ']' || first === '/') return start + 1;
  let end = start + 1;
  while (end < text.length && !'"/,}]'.includes(text[end] ?? '')) end += 1;
  return end;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

function indexFrom(text: string, found: string, start: number, length: number): number {
  const at = text.indexOf(found, start);
  return at === -1 ? text.length : at + length;
}
