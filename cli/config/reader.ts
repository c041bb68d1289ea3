import { nearest } from '../../json-schema/nearest.js';
import { jsonPointer } from '../../json-schema/pointer.js';
import { quote } from '../../json-schema/text.js';
import type { Diagnostic } from '../../generator/diagnostics/index.js';

/** A value with its path, and the function that reports its errors. */
export interface Read {
  readonly value: unknown;
  readonly path: readonly (string | number)[];
  readonly report: (diagnostic: Diagnostic) => void;
}

export function readObject<K extends string>(item: Read, keys: readonly K[]): { [P in K]?: Read } {
  const { value, path, report } = item;
  if (!isObject(value)) {
    reportError(item, 'Must be an object.');
    return {};
  }
  const found: { [P in K]?: Read } = {};
  for (const [key, content] of Object.entries(value)) {
    const inner = { value: content, path: [...path, key], report };
    const known = keys.find((name) => name === key);
    if (known) found[known] = inner;
    else reportError(inner, `Unknown setting ${quote(key)}.`, suggestion(key, keys));
  }
  return found;
}

export function readList<T>(item: Read, read: (item: Read) => T | undefined): T[] {
  const { value, path, report } = item;
  if (!Array.isArray(value)) {
    reportError(item, 'Must be a list.');
    return [];
  }
  const results = value.flatMap((content: unknown, index): T[] => {
    const result = read({ value: content, path: [...path, index], report });
    return result === undefined ? [] : [result];
  });
  return [...new Set(results)];
}

export function oneOf<T extends string>(known: readonly T[]): (item: Read) => T | undefined {
  return (item) => {
    const found = known.find((name) => name === item.value);
    if (found === undefined) {
      const written = typeof item.value === 'string' ? item.value : '';
      const said = quote(JSON.stringify(item.value) ?? '').slice(1, -1);
      reportError(
        item,
        `Unknown value ${written ? quote(written) : said}.`,
        suggestion(written, known),
      );
    }
    return found;
  };
}

export function readString(item: Read): string | undefined {
  if (typeof item.value === 'string' && item.value !== '') return item.value;
  reportError(item, 'Must be a non-empty string.');
  return undefined;
}

export function readBoolean(item: Read): boolean | undefined {
  if (typeof item.value === 'boolean') return item.value;
  reportError(item, 'Must be true or false.');
  return undefined;
}

export function reportError({ path, report }: Read, message: string, help?: string): void {
  const pointer = jsonPointer(path);
  report({ code: 'bad-config', severity: 'error', message, pointer, ...(help && { help }) });
}

function suggestion(written: string, known: readonly string[]): string {
  const meant = nearest(written, known);
  return meant ? `Did you mean ${quote(meant)}?` : `Known: ${known.join(', ')}.`;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
