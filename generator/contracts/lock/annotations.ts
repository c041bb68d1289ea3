import type { Direction } from './compat/index.js';
import { jsonPointer } from '../../diagnostics/index.js';
import type { JsonValue } from '../../ir/index.js';
import { isAnnotation, subschemas } from '../../read/index.js';
import type { At, Change } from './change.js';
import { own, textChange } from './texts.js';

/**
 * The changes of what a schema says beside its rules: descriptions, titles, examples, and keywords that JSON Schema does not
 * have. Schemas that only one side has are changes of what it accepts.
 */
export function compareAnnotations(
  before: JsonValue,
  after: JsonValue,
  at: At,
  direction: Direction,
): Change[] {
  const others = new Map(subschemas(after).map(({ path, schema }) => [jsonPointer(path), schema]));
  return subschemas(before).flatMap(({ path, schema }) => {
    const pointer = jsonPointer(path);
    const other = others.get(pointer);
    if (other === undefined) return [];
    const keys = new Set([...Object.keys(schema), ...Object.keys(other)].filter(isAnnotation));
    return [...keys].flatMap((key) => {
      const [was, is] = [own(schema, key), own(other, key)];
      const place = { ...at, pointer: at.pointer + pointer };
      const changes = textChange(place, pathOf([...path, key]), was, is);
      const hasBoth = was !== undefined && is !== undefined;
      return key === 'default' && direction === 'input' && hasBoth
        ? changes.map(asDefault)
        : changes;
    });
  });
}

/** Keywords that a path for people leaves out. */
const CONTAINERS: ReadonlySet<string | number> = new Set(['properties', '$defs', 'definitions']);

/** `city.description`; a name of a property may be one of the keywords. */
function pathOf(path: readonly (string | number)[]): string {
  return path
    .filter((part, index) => !CONTAINERS.has(part) || CONTAINERS.has(path[index - 1] ?? ''))
    .join('.');
}

function asDefault(change: Change): Change {
  const reason = 'a caller that leaves the argument out may get another result';
  return { ...change, verdict: 'unclear', rule: 'default', reason };
}
