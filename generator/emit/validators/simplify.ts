import {
  type Additional,
  type ArrayNode,
  type ConditionalNode,
  type Definitions,
  type JsonPrimitive,
  type LiteralNode,
  mapNode,
  type Node,
  type NotNode,
  type ObjectNode,
  type StringNode,
  TYPE_NAMES,
  typeOf,
  typesOf,
  type UnevaluatedNode,
} from '../../../json-schema/index.js';
import { characters } from '../support/characters.js';
import { NO_LIMITS } from './covers.js';

/**
 * The same node without members that exclude nothing, so that no unused code is written, which compilers
 * refuse. With `exact`, members stay that describe keys or items, for `unevaluated`.
 */
export function simplify(node: Node, exact = false): Node {
  return mapNode(node, (inner) => {
    switch (inner.kind) {
      case 'literal':
        return inner.values.length === 0 ? { kind: 'never' } : inner;
      case 'union':
        return simpleUnion(inner.members, exact);
      case 'intersection':
        return simpleIntersection(inner.members);
      case 'object':
        return simpleObject(inner);
      case 'array':
        return simpleArray(inner);
      case 'exclusive':
        return simpleExclusive(inner.members);
      case 'not':
        return simpleNot(inner);
      case 'conditional':
        return { ...inner, then: compatible([inner.if, inner.then])[1] ?? { kind: 'never' } };
      case 'unevaluated':
        return simpleUnevaluated(inner);
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
      // Such a union is only left where its members describe keys or items.
      if (node.members.some((each) => constantOf(each) === true)) return true;
      return node.members.every((each) => constantOf(each) === false) ? false : undefined;
    case 'intersection':
      return node.members.some((each) => constantOf(each) === false) ? false : undefined;
    case 'exclusive':
      return node.members.every((each) => constantOf(each) === false) ? false : undefined;
    case 'not': {
      const constant = constantOf(node.node);
      return constant === undefined ? undefined : !constant;
    }
    case 'conditional':
      return constantCondition(node);
    case 'unevaluated':
      return constantOf(node.node) === false ? false : undefined;
    default:
      return undefined;
  }
}

function constantCondition(node: ConditionalNode): boolean | undefined {
  const [then, otherwise] = [constantOf(node.then), constantOf(node.else)];
  if (then === otherwise && then !== undefined) return then;
  const condition = constantOf(node.if);
  if (condition === undefined) return undefined;
  return condition ? then : otherwise;
}

/** More literals than this go into a set, which is faster and which TypeScript can check. */
export const MANY = 30;

function simpleUnion(members: readonly Node[], exact: boolean): Node {
  if (!exact && members.some(({ kind }) => kind === 'any')) return { kind: 'any' };
  const possible = withoutNamed(members).filter((each) => constantOf(each) !== false);
  const literals = possible.filter((each): each is LiteralNode => each.kind === 'literal');
  const [only, ...others] = literals.length > MANY ? merged(possible, literals) : possible;
  if (only === undefined) return { kind: 'never' };
  return others.length === 0 ? only : { kind: 'union', members: [only, ...others] };
}

/** Without literals that another member accepts as well: after that member, the compiler refuses to compare with them. */
function withoutNamed(members: readonly Node[]): Node[] {
  const whole = new Set(members.filter(isWhole).map(({ kind }) => kind));
  return members.map((each) => {
    if (each.kind !== 'literal') return each;
    const values = each.values.filter((value) => !whole.has(typeOf(value)));
    return values.length > 0 ? { ...each, values } : { kind: 'never' };
  });
}

/** Whether a node accepts every value of a primitive type. */
function isWhole(node: Node): boolean {
  if (node.kind === 'number' && node.integer) return false;
  const limits = Object.keys(node).filter((key) => !NO_LIMITS.has(key) && key !== 'integer');
  return PRIMITIVES.has(node.kind) && limits.length === 0;
}

const PRIMITIVES: ReadonlySet<Node['kind']> = new Set(['null', 'boolean', 'number', 'string']);

function merged(members: readonly Node[], literals: readonly LiteralNode[]): Node[] {
  const values = [...new Set(literals.flatMap((each) => each.values))];
  return [{ kind: 'literal', values }, ...members.filter(({ kind }) => kind !== 'literal')];
}

function simpleIntersection(members: readonly Node[]): Node {
  const deciding = compatible(members).filter(({ kind }) => kind !== 'any');
  if (deciding.some((each) => constantOf(each) === false)) return { kind: 'never' };
  const [only, ...others] = deciding;
  if (only === undefined) return { kind: 'any' };
  return others.length === 0 ? only : { kind: 'intersection', members: [only, ...others] };
}

/** What a reference leads to is not looked at. */
const NO_DEFINITIONS: Definitions = new Map();

/** Members without the values that another refuses: the compiler refuses to compare a number with a text. */
function compatible(members: readonly Node[]): Node[] {
  const types = members.map((each) => typesOf(each, NO_DEFINITIONS));
  const literals = members.flatMap((each) => (each.kind === 'literal' ? [each.values] : []));
  const isPossible = (value: JsonPrimitive): boolean =>
    types.every((set) => set.has(typeOf(value))) &&
    literals.every((values) => values.includes(value)) &&
    members.every((each) => hasLengthOf(each, value));
  const isNamed = members.some(namesItsTexts);
  const possible = (node: Node): Node => {
    switch (node.kind) {
      case 'literal': {
        const values = node.values.filter(isPossible);
        return values.length === 0 ? { kind: 'never' } : { ...node, values };
      }
      case 'union':
        return simpleUnion(node.members.map(possible), true);
      case 'string':
        if (!types.every((set) => set.has('string'))) return { kind: 'never' };
        return isNamed ? withoutLength(node) : node;
      case 'null':
      case 'boolean':
      case 'number':
        return types.every((set) => set.has(node.kind)) ? node : { kind: 'never' };
      default:
        return node;
    }
  };
  const isEmpty = !TYPE_NAMES.some((type) => types.every((set) => set.has(type)));
  return isEmpty ? [{ kind: 'never' }] : members.map(possible);
}

/** Whether a node accepts no texts but literals: the compiler refuses to compare those with an empty text. */
function namesItsTexts(node: Node): boolean {
  if (node.kind === 'literal') return true;
  if (node.kind !== 'union') return false;
  const texts = node.members.filter((each) => typesOf(each, NO_DEFINITIONS).has('string'));
  return texts.every(({ kind }) => kind === 'literal');
}

/** Whether a text has a length that a node accepts, in one of its members. */
function hasLengthOf(node: Node, value: JsonPrimitive): boolean {
  if (node.kind === 'union') {
    const alike = (each: Node): boolean => typesOf(each, NO_DEFINITIONS).has(typeOf(value));
    return node.members.some((each) => alike(each) && hasLengthOf(each, value));
  }
  if (node.kind !== 'string' || typeof value !== 'string') return true;
  const { minLength = 0, maxLength = Infinity } = node;
  const length = characters(value);
  return length >= minLength && length <= maxLength;
}

function withoutLength({ minLength: _least, maxLength: _most, ...node }: StringNode): StringNode {
  return node;
}

/** Of members that accept everything, one refuses the values of all others, and two refuse every value. */
function simpleExclusive(members: readonly Node[]): Node {
  const possible = members.filter((each) => constantOf(each) !== false);
  const [only, ...others] = possible;
  if (only === undefined) return { kind: 'never' };
  return others.length === 0 ? only : { kind: 'exclusive', members: possible };
}

function simpleNot(node: NotNode): Node {
  const constant = constantOf(node.node);
  return constant === undefined ? node : { kind: constant ? 'never' : 'any' };
}

function simpleUnevaluated({ properties, items, ...node }: UnevaluatedNode): Node {
  const [keys, entries] = [restricting(properties), restricting(items)];
  return { ...node, ...(keys && { properties: keys }), ...(entries && { items: entries }) };
}

const restricting = (node: Node | undefined): Node | undefined => node && orNever(node);

function simpleArray({ items, prefix, ...node }: ArrayNode): ArrayNode {
  return {
    ...node,
    items: orNever(items),
    ...(prefix && { prefix: prefix.map(orNever) }),
  };
}

function simpleObject({
  properties,
  additional,
  patterns,
  names,
  ...rest
}: ObjectNode): ObjectNode {
  return {
    ...rest,
    ...(names && { names: compatible([names, { kind: 'string' }])[0] ?? names }),
    properties: properties.map((each) => ({ ...each, node: orNever(each.node) })),
    additional: additional.kind === 'typed' ? simpleAdditional(additional.node) : additional,
    ...(patterns && {
      patterns: patterns.map((each) => ({ ...each, node: orNever(each.node) })),
    }),
  };
}

function simpleAdditional(node: Node): Additional {
  if (node.kind === 'any') return { kind: 'open' };
  return constantOf(node) === false ? { kind: 'closed' } : { kind: 'typed', node };
}

const orNever = (node: Node): Node => (constantOf(node) === false ? { kind: 'never' } : node);
