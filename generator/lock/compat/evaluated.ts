import { resolve } from '../../ir/index.js';
import type { Definitions, JsonValue, Node } from '../../ir/index.js';
import { isObject } from '../../read/index.js';
import { patternOf } from './patterns.js';

/** The keys or items of a value that a schema describes, for `unevaluatedProperties` and `unevaluatedItems`. */
export interface Evaluated {
  readonly all: boolean;
  readonly keys: ReadonlySet<string | number>;
}

interface Judging {
  readonly definitions: Definitions;
  readonly accepts: (node: Node, value: JsonValue) => boolean;
}

/** Call it with a value that the node accepts. */
export function evaluatedIn(node: Node, value: JsonValue, judging: Judging): Evaluated {
  const { definitions, accepts } = judging;
  const within = (inner: Node): Evaluated => evaluatedIn(inner, value, judging);
  const accepted = (members: readonly Node[]): readonly Node[] =>
    members.filter((member) => accepts(member, value));
  switch (node.kind) {
    case 'object':
      return isObject(value) ? ofObject(node, value) : NOTHING;
    case 'array':
      return Array.isArray(value) ? ofArray(node, value, accepts) : NOTHING;
    case 'intersection':
      return together(node.members.map(within));
    case 'union':
    case 'exclusive':
      return together(accepted(node.members).map(within));
    case 'conditional':
      return accepts(node.if, value)
        ? together([within(node.if), within(node.then)])
        : within(node.else);
    case 'unevaluated': {
      const { properties, items } = node;
      const rest = Array.isArray(value) ? items : isObject(value) ? properties : undefined;
      return rest ? EVERYTHING : within(node.node);
    }
    case 'ref':
      return within(resolve(node, definitions));
    default:
      return NOTHING;
  }
}

const NOTHING: Evaluated = { all: false, keys: new Set() };
const EVERYTHING: Evaluated = { all: true, keys: new Set() };

function together(parts: readonly Evaluated[]): Evaluated {
  return {
    all: parts.some(({ all }) => all),
    keys: new Set(parts.flatMap(({ keys }) => [...keys])),
  };
}

function ofObject(
  { properties, patterns = [], additional }: Extract<Node, { kind: 'object' }>,
  value: object,
): Evaluated {
  if (additional.kind !== 'unsaid') return EVERYTHING;
  const listed = properties.filter(({ unlisted }) => !unlisted).map(({ name }) => name);
  const matching = Object.keys(value).filter((key) =>
    patterns.some(({ pattern }) => patternOf(pattern).test(key)),
  );
  return { all: false, keys: new Set([...listed, ...matching]) };
}

function ofArray(
  { items, openItems, prefix = [], contains }: Extract<Node, { kind: 'array' }>,
  value: readonly JsonValue[],
  accepts: Judging['accepts'],
): Evaluated {
  if (items.kind !== 'any' || openItems === true) return EVERYTHING;
  const indexes = [...value.keys()];
  const contained = indexes.filter(
    (index) => contains?.evaluates === true && accepts(contains.node, value[index] ?? null),
  );
  return { all: false, keys: new Set([...prefix.keys(), ...contained]) };
}
