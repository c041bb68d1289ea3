/**
 * The beginning of a text that `JSON.stringify` wrote, in lines with two spaces for each level. It makes no more than it
 * returns: the lines of 500 KB that are nested deeply take gigabytes.
 */
export function indented(
  json: string,
  longest: number,
): { readonly text: string; readonly isCut: boolean } {
  let [text, depth] = ['', 0];
  const line = (): string => `\n${'  '.repeat(depth)}`;
  for (let at = 0; at < json.length;) {
    const part = json.slice(at, endOfToken(json, at));
    at += part.length;
    if (part === '{' || part === '[') {
      depth += 1;
      text += part + line();
    } else if (part === '}' || part === ']') {
      depth -= 1;
      text += line() + part;
    } else if (part === ',') text += part + line();
    else text += part === ':' ? ': ' : part;
    if (text.length > longest) return { text: text.slice(0, longest), isCut: true };
  }
  return { text, isCut: false };
}

/** Where the token ends that begins here. An empty object or array is one token. */
function endOfToken(json: string, start: number): number {
  const first = json[start];
  if (first === '"') return endOfString(json, start);
  if (['{}', '[]'].includes(json.slice(start, start + 2))) return start + 2;
  let end = start + 1;
  if ('{}[],:'.includes(first ?? '')) return end;
  while (end < json.length && !',]}'.includes(json[end] ?? '')) end += 1;
  return end;
}

function endOfString(json: string, start: number): number {
  let end = start + 1;
  while (end < json.length && json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
  return end + 1;
}
