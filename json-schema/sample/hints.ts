import { mapNode } from '../lookup.js';
import type { Definitions } from '../lookup.js';
import type { Format, JsonValue, Node } from '../model.js';

/** What two schemas say of values: where samples of one are likely to differ for the other. */
export interface Hints {
  readonly numbers: ReadonlySet<number>;
  readonly divisors: ReadonlySet<number>;
  /** Lengths of texts, and counts of items and keys. */
  readonly lengths: ReadonlySet<number>;
  readonly patterns: ReadonlySet<string>;
  readonly formats: ReadonlySet<Format>;
  readonly keyPatterns: ReadonlySet<string>;
  /** Names of properties. */
  readonly names: ReadonlySet<string>;
  /** Listed values. */
  readonly values: ReadonlySet<JsonValue>;
}

/** Hints of each kind; a stranger's schema may list any number. */
const MOST = 60;

export function hintsOf(nodes: readonly Node[], definitions: Definitions): Hints {
  const hints = {
    numbers: new Set<number>(),
    divisors: new Set<number>(),
    lengths: new Set<number>(),
    patterns: new Set<string>(),
    formats: new Set<Format>(),
    keyPatterns: new Set<string>(),
    names: new Set<string>(),
    values: new Set<JsonValue>(),
  };
  const add = <T>(set: Set<T>, ...values: readonly (T | undefined)[]): void => {
    for (const value of values) if (value !== undefined && set.size < MOST) set.add(value);
  };

  function note(node: Node): void {
    switch (node.kind) {
      case 'string':
        add(hints.lengths, node.minLength, node.maxLength);
        add(hints.patterns, node.pattern);
        add(hints.formats, node.format);
        return;
      case 'number':
        add(
          hints.numbers,
          node.minimum,
          node.maximum,
          node.exclusiveMinimum,
          node.exclusiveMaximum,
        );
        add(hints.divisors, node.multipleOf);
        return;
      case 'literal':
        add(hints.values, ...node.values);
        return;
      case 'constant':
        add(hints.values, node.value);
        return;
      case 'array':
        add(hints.lengths, node.minItems, node.maxItems, node.contains?.min, node.contains?.max);
        return;
      case 'object':
        add(hints.lengths, node.minProperties, node.maxProperties);
        add(hints.keyPatterns, ...(node.patterns ?? []).map(({ pattern }) => pattern));
        add(hints.names, ...node.properties.map(({ name }) => name));
        return;
      default:
    }
  }

  const seen = new Set<string>();
  const visit = (root: Node): void => {
    mapNode(root, (inner) => {
      note(inner);
      if (inner.kind !== 'ref' || seen.has(inner.name)) return inner;
      seen.add(inner.name);
      const target = definitions.get(inner.name);
      if (target) visit(target.node);
      return inner;
    });
  };
  for (const node of nodes) visit(node);
  return hints;
}
