import {
  compile,
  type Definitions,
  mapNode,
  type Node,
  pointerParts,
  read,
  type Refusal,
} from '../../json-schema/index.js';
import type { SchemaCheck } from '../validate/index.js';

/** How often one check may look at a part of the value. */
const MOST_STEPS = 1_000_000;
/** Schemas in one schema. */
const MOST_PARTS = 10_000;
/** Limits of the search for hidden parts. */
const MOST_VALUES = 10_000;
const DEEPEST = 100;

type IsHidden = (path: readonly string[]) => boolean;

/**
 * Compares values with schemas of recordings. A schema that cannot be read accepts every value, and so does one whose check
 * took too many steps from then on. Formats are those of `lock` and `guard`.
 */
export const schemaCheck: SchemaCheck = (schema) => {
  const { node, definitions, exact } = read(schema, { parts: MOST_PARTS, depth: DEEPEST });
  if (!exact) return () => undefined;
  const { accepts, refusals } = compile(node, definitions, { steps: MOST_STEPS });
  let isGivenUp = false;
  const find = (value: unknown, isHidden?: IsHidden): readonly Refusal[] => {
    if (accepts(value)) return [];
    if (!isHidden || !holdsHidden(value, isHidden)) return refusals(value);
    // With other keywords, the verdict may depend on the hidden value anywhere.
    if (!isPlain(definitions)) return [];
    // A hidden value has the type of the real one.
    return refusals(value, { all: true }).filter(
      ({ pointer, isType }) => isType === true || !isHidden(pointerParts(pointer)),
    );
  };
  return (value, isHidden) => {
    if (isGivenUp) return undefined;
    try {
      const [first] = find(value, isHidden);
      return first && `${first.pointer || '/'}: ${first.reason}`;
    } catch {
      // It takes too many steps, or is nested too deeply for the stack.
      isGivenUp = true;
      return undefined;
    }
  };
};

const JOINING: ReadonlySet<Node['kind']> = new Set<Node['kind']>([
  ...(['union', 'exclusive', 'not', 'conditional', 'unevaluated', 'constant'] as const),
]);

/** Whether each refusal of a value depends on the part at its place alone. */
function isPlain(definitions: Definitions): boolean {
  let plain = true;
  for (const { node } of definitions.values()) {
    mapNode(node, (inner) => {
      const compares =
        inner.kind === 'array' && (inner.contains ?? inner.uniqueItems) !== undefined;
      plain &&= !compares && !JOINING.has(inner.kind);
      return inner;
    });
  }
  return plain;
}

function holdsHidden(root: unknown, isHidden: IsHidden): boolean {
  const waiting: { readonly value: unknown; readonly path: readonly string[] }[] = [
    { value: root, path: [] },
  ];
  let steps = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, path } = next;
    steps += 1;
    // A large value is not searched: it counts as one with hidden parts.
    if (steps > MOST_VALUES || path.length > DEEPEST || isHidden(path)) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      waiting.push({ value: inner, path: [...path, key] });
    }
  }
  return false;
}
