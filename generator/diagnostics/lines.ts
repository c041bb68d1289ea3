import { jsonPointer } from '../../json-schema/pointer.js';

/** Finds the line of a place in a JSON text, counted from 1: of the place itself, else of the nearest one around it. */
export function linesOf(text: string): (pointer: string) => number {
  const lines = read(text);
  return (pointer) => {
    for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
      const line = lines.get(at);
      if (line !== undefined) return line;
      if (at === '') return 1;
    }
  };
}

interface Container {
  readonly isList: boolean;
  /** The key or index whose value comes next. */
  at: string | number;
}

/** The line of each value, by its pointer. The text has to be JSON. */
function read(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  const stack: Container[] = [];
  let line = 1;
  let isKey = false;
  const note = (): void => {
    const pointer = jsonPointer(stack.map(({ at }) => at));
    if (!lines.has(pointer)) lines.set(pointer, line);
  };
  for (const token of tokensOf(text)) {
    const top = stack.at(-1);
    if (token === '\n') line += 1;
    else if (token === '{' || token === '[') {
      note();
      const isList = token === '[';
      stack.push({ isList, at: 0 });
      isKey = !isList;
    } else if (token === '}' || token === ']') stack.pop();
    else if (token === ',' && top) {
      if (top.isList) top.at = Number(top.at) + 1;
      isKey = !top.isList;
    } else if (isKey && top && token !== ':') {
      top.at = JSON.parse(token) as string;
      isKey = false;
    } else if (token !== ':') note();
  }
  return lines;
}

/** Punctuation, line ends, strings and other values. A regular expression for a whole string may overflow the stack. */
function* tokensOf(text: string): Generator<string> {
  const start = /["{}[\],:\n]|[^\s"{}[\],:]+/g;
  for (let found = start.exec(text); found; found = start.exec(text)) {
    if (found[0] !== '"') {
      yield found[0];
      continue;
    }
    let end = found.index + 1;
    while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
    yield text.slice(found.index, end + 1);
    start.lastIndex = end + 1;
  }
}
