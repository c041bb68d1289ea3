/** Facts about a JSON text that the parsed value does not contain. */
export interface Scan {
  /** The deepest nesting of objects and arrays. */
  readonly depth: number;
  /** Keys that one object has more than once, as paths from the root. The last one wins. */
  readonly duplicates: readonly (readonly string[])[];
}

interface Container {
  /** The keys seen so far; `undefined` for an array. */
  readonly keys: Set<string> | undefined;
  /** The key that this container is the value of; for a member of an array its index. */
  readonly name: string;
  /** The key whose value is being read, or the index. */
  current: string;
}

/**
 * Reads JSON text without building it. The text must be JSON: call `JSON.parse` first.
 * Duplicates are reported down to `maxPath` keys below the root.
 */
export function scanJson(text: string, maxPath: number): Scan {
  const stack: Container[] = [];
  const duplicates: string[][] = [];
  let depth = 0;
  let pending: string | undefined;
  for (const token of tokensOf(text)) {
    const top = stack.at(-1);
    if (token === '{' || token === '[') {
      stack.push({
        keys: token === '{' ? new Set() : undefined,
        name: top?.current ?? '',
        current: '0',
      });
      depth = Math.max(depth, stack.length);
    } else if (token === '}' || token === ']') {
      stack.pop();
    } else if (token === ':') {
      if (top?.keys && pending !== undefined) {
        top.current = pending;
        if (top.keys.has(pending) && stack.length <= maxPath) duplicates.push(pathOf(stack));
        top.keys.add(pending);
      }
    } else if (token === ',') {
      if (top && !top.keys) top.current = String(Number(top.current) + 1);
    } else {
      pending = stack.length <= maxPath ? (JSON.parse(token) as string) : token;
    }
  }
  return { depth, duplicates };
}

/**
 * Strings and punctuation. A regular expression that matches a whole string needs stack for each of
 * its characters: a description of 10 MB overflows it.
 */
function* tokensOf(text: string): Generator<string> {
  const start = /["{}[\],:]/g;
  for (let found = start.exec(text); found; found = start.exec(text)) {
    if (found[0] !== '"') {
      yield found[0];
      continue;
    }
    const end = endOfString(text, found.index);
    yield text.slice(found.index, end);
    start.lastIndex = end;
  }
}

/** The index after the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end + 1;
}

function pathOf(stack: readonly Container[]): string[] {
  return [...stack.slice(1).map(({ name }) => name), stack.at(-1)?.current ?? ''];
}
