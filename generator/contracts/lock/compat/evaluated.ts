import {
  type ArrayNode,
  type Definitions,
  isObject,
  type JsonValue,
  type Node,
  type ObjectNode,
  resolve,
} from '../../../../json-schema/index.js';
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

type Same = (one: Node, other: Node) => boolean;

/** Whether two nodes that accept the same values surely describe the same keys and items of each. */
export function evaluatesSame(
  one: Node,
  other: Node,
  definitions: Definitions,
  isSame: Same,
): boolean {
  const [a, b] = [resolve(one, definitions), resolve(other, definitions)];
  const within: Same = (x, y) => isSame(x, y) && evaluatesSame(x, y, definitions, isSame);
  if (a === b) return true;
  if (!describes(a, definitions) && !describes(b, definitions)) return true;
  if (a.kind === 'object' && b.kind === 'object') return textOf(a) === textOf(b);
  if (a.kind === 'array' && b.kind === 'array') return hasSameItems(a, b, isSame);
  if (a.kind === 'conditional' && b.kind === 'conditional')
    return within(a.if, b.if) && within(a.then, b.then) && within(a.else, b.else);
  if (a.kind === 'unevaluated' && b.kind === 'unevaluated')
    return within(a.node, b.node) && !a.properties === !b.properties && !a.items === !b.items;
  if ('members' in a && 'members' in b && a.kind === b.kind)
    return isPermutation(a.members, b.members, within);
  return false;
}

/** Whether a node may describe a key or an item. */
function describes(node: Node, definitions: Definitions): boolean {
  const within = (inner: Node): boolean => describes(inner, definitions);
  switch (node.kind) {
    case 'object':
      return textOf(node) !== NO_KEYS;
    case 'array':
      return isEveryItem(node) || node.prefix !== undefined || node.contains?.evaluates === true;
    case 'intersection':
    case 'union':
    case 'exclusive':
      return node.members.some(within);
    case 'conditional':
      return [node.if, node.then, node.else].some(within);
    case 'ref':
      return within(resolve(node, definitions));
    default:
      return node.kind === 'unevaluated';
  }
}

const textOf = ({ properties, patterns = [], additional }: ObjectNode): string =>
  JSON.stringify(
    additional.kind === 'unsaid' && [
      listedIn(properties).sort(),
      patterns.map(({ pattern }) => pattern).sort(),
    ],
  );

const NO_KEYS = '[[],[]]';

/** Whether each member has one of its own among the others. */
export function isPermutation(
  members: readonly Node[],
  others: readonly Node[],
  isSame: Same,
): boolean {
  const rest = [...others];
  return (
    members.length === others.length &&
    members.every((member) => {
      const at = rest.findIndex((other) => isSame(member, other));
      if (at >= 0) rest.splice(at, 1);
      return at >= 0;
    })
  );
}

function hasSameItems(a: ArrayNode, b: ArrayNode, isSame: Same): boolean {
  if (isEveryItem(a) || isEveryItem(b)) return isEveryItem(a) && isEveryItem(b);
  const [x, y] = [a, b].map(({ contains }) => (contains?.evaluates ? contains.node : NEVER));
  return a.prefix?.length === b.prefix?.length && isSame(x ?? NEVER, y ?? NEVER);
}

const NEVER: Node = { kind: 'never' };

const isEveryItem = ({ items, openItems }: ArrayNode): boolean =>
  items.kind !== 'any' || openItems === true;

const listedIn = (properties: ObjectNode['properties']): string[] =>
  properties.filter(({ unlisted }) => !unlisted).map(({ name }) => name);

const NOTHING: Evaluated = { all: false, keys: new Set() };
const EVERYTHING: Evaluated = { all: true, keys: new Set() };

function together(parts: readonly Evaluated[]): Evaluated {
  return {
    all: parts.some(({ all }) => all),
    keys: new Set(parts.flatMap(({ keys }) => [...keys])),
  };
}

function ofObject({ properties, patterns = [], additional }: ObjectNode, value: object): Evaluated {
  if (additional.kind !== 'unsaid') return EVERYTHING;
  const listed = listedIn(properties);
  const matching = Object.keys(value).filter((key) =>
    patterns.some(({ pattern }) => patternOf(pattern).test(key)),
  );
  return { all: false, keys: new Set([...listed, ...matching]) };
}

function ofArray(
  node: ArrayNode,
  value: readonly JsonValue[],
  accepts: Judging['accepts'],
): Evaluated {
  if (isEveryItem(node)) return EVERYTHING;
  const { prefix = [], contains } = node;
  const indexes = [...value.keys()];
  const contained = indexes.filter(
    (index) => contains?.evaluates === true && accepts(contains.node, value[index] ?? null),
  );
  return { all: false, keys: new Set([...prefix.keys(), ...contained]) };
}
