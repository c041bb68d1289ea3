import { FORMATS, isFormat, isRefusal, readPattern } from '../../json-schema/index.js';
import type { SchemaCheck } from '../validate/index.js';

/** Keywords whose values are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);

/** Compares values with schemas of recordings, without `eval`, and in bounded time. Formats are those of `lock` and `guard`. */
export async function loadSchemaCheck(): Promise<SchemaCheck> {
  const { loadStrangerCheck } = await import('../../runtime/schemas/index.js');
  const { formatCheck } = await import('../../json-schema/index.js');
  const formats = FORMATS.map((name) => [name, formatCheck(name)] as const);
  const read = await loadStrangerCheck(Object.fromEntries(formats));
  return (schema) => {
    const copy = JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
    return prepare(copy) ? read(copy) : () => undefined;
  };
}

/**
 * Removes formats that are not checked, and gives patterns the grammar of JavaScript. Returns whether all patterns take
 * linear time.
 */
function prepare(root: Record<string, unknown>): boolean {
  const waiting: object[] = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const schema = next as Record<string, unknown>;
    const { format, pattern, patternProperties } = schema;
    if (typeof pattern === 'string') {
      const source = linear(pattern);
      if (source === undefined) return false;
      schema['pattern'] = source;
    }
    if (typeof patternProperties === 'object' && patternProperties !== null) {
      if (!Object.keys(patternProperties).every((each) => linear(each) === each)) return false;
    }
    if (typeof format === 'string' && !isFormat(format)) delete schema['format'];
    for (const [key, value] of Object.entries(schema)) {
      if (typeof value === 'object' && value !== null && !DATA.has(key)) waiting.push(value);
    }
  }
  return true;
}

/** The pattern, when JavaScript's own matching takes linear time. */
function linear(pattern: string): string | undefined {
  const found = readPattern(pattern);
  return isRefusal(found) || found.program ? undefined : found.source;
}
