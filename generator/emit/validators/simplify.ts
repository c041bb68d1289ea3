import { mapNode } from '../../ir/index.js';
import type { Additional, LiteralNode, Node, ObjectNode } from '../../ir/index.js';

/**
 * The same node without members that exclude nothing, so that no unused code is written, which compilers
 * refuse.
 */
export function simplify(node: Node): Node {
  return mapNode(node, (inner) => {
    switch (inner.kind) {
      case 'literal':
        return inner.values.length === 0 ? { kind: 'never' } : inner;
      case 'union':
        return simpleUnion(inner.members);
      case 'intersection':
        return simpleIntersection(inner.members);
      case 'object':
        return simpleObject(inner);
      case 'array':
        return { ...inner, items: orNever(inner.items) };
      default:
        return inner;
    }
  });
}

/** Whether a node accepts every value or none; `undefined` when it depends on the value. */
export function constantOf(node: Node): boolean | undefined {
  switch (node.kind) {
    case 'any':
      return true;
    case 'never':
      return false;
    case 'object':
      return node.properties.some((each) => each.required && constantOf(each.node) === false)
        ? false
        : undefined;
    case 'union':
      return node.members.every((each) => constantOf(each) === false) ? false : undefined;
    case 'intersection':
      return node.members.some((each) => constantOf(each) === false) ? false : undefined;
    default:
      return undefined;
  }
}

/** More literals than this go into a set, which is faster and which TypeScript can check. */
export const MANY = 30;

function simpleUnion(members: readonly Node[]): Node {
  if (members.some(({ kind }) => kind === 'any')) return { kind: 'any' };
  const possible = members.filter((each) => constantOf(each) !== false);
  const literals = possible.filter((each): each is LiteralNode => each.kind === 'literal');
  const [only, ...others] = literals.length > MANY ? merged(possible, literals) : possible;
  if (only === undefined) return { kind: 'never' };
  return others.length === 0 ? only : { kind: 'union', members: [only, ...others] };
}

function merged(members: readonly Node[], literals: readonly LiteralNode[]): Node[] {
  const values = [...new Set(literals.flatMap((each) => each.values))];
  return [{ kind: 'literal', values }, ...members.filter(({ kind }) => kind !== 'literal')];
}

function simpleIntersection(members: readonly Node[]): Node {
  const deciding = members.filter(({ kind }) => kind !== 'any');
  if (deciding.some(({ kind }) => kind === 'never')) return { kind: 'never' };
  const [only, ...others] = deciding;
  if (only === undefined) return { kind: 'any' };
  return others.length === 0 ? only : { kind: 'intersection', members: [only, ...others] };
}

function simpleObject({ properties, additional, ...rest }: ObjectNode): ObjectNode {
  return {
    ...rest,
    properties: properties.map((each) => ({ ...each, node: orNever(each.node) })),
    additional: additional.kind === 'typed' ? simpleAdditional(additional.node) : additional,
  };
}

function simpleAdditional(node: Node): Additional {
  if (node.kind === 'any') return { kind: 'open' };
  return constantOf(node) === false ? { kind: 'closed' } : { kind: 'typed', node };
}

const orNever = (node: Node): Node => (constantOf(node) === false ? { kind: 'never' } : node);
