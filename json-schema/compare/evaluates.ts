import { resolve } from '../lookup.js';
import type { Definitions } from '../lookup.js';
import type { ArrayNode, Node, ObjectNode } from '../model.js';

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
