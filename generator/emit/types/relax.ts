import {
  type Additional,
  type Definition,
  type Definitions,
  type JsonPrimitive,
  type Node,
  type ObjectNode,
  type Property,
  TYPE_NAMES,
  type TypeName,
  typeOf,
  typesOf,
} from '../../../json-schema/index.js';
import { isLiteral, isTypeableName } from './constant.js';

/**
 * The part of a schema that a TypeScript type can express: a node that accepts every value of the original, and
 * often more. No `exclusive`, `not`, `conditional`, `unevaluated` or pattern remains in it. The values of
 * `objects` are objects, even if their schemas do not say so.
 */
export function relaxed(
  definitions: Definitions,
  objects: ReadonlySet<string> = new Set(),
): Definition[] {
  /** `allowed` are the JSON types that the other parts of an intersection leave. */
  function relax(node: Node, allowed: Types): Node {
    return annotated(node, unannotated(node, allowed));
  }

  function unannotated(node: Node, allowed: Types): Node {
    switch (node.kind) {
      case 'any':
      case 'never':
      case 'ref':
        return node;
      case 'not':
        return ANY;
      case 'literal':
        return literal(node.values.filter((value) => allowed.has(typeOf(value))));
      case 'constant':
        return allowed.has(typeOf(node.value)) ? node : NEVER;
      case 'union':
      case 'exclusive':
        return union(node.members.map((member) => relax(member, allowed)));
      case 'intersection':
        return intersection(node.members, allowed);
      case 'conditional':
        if (node.else.kind === 'any') return ANY;
        return union([intersection([node.if, node.then], allowed), relax(node.else, allowed)]);
      case 'unevaluated':
        return relax(node.node, allowed);
      case 'object':
        return allowed.has('object') ? object(node) : NEVER;
      case 'array': {
        if (!allowed.has('array')) return NEVER;
        const { kind, items, prefix, minItems, maxItems } = node;
        return {
          kind,
          items: relax(items, ALL),
          ...(prefix && { prefix: prefix.map((each) => relax(each, ALL)) }),
          ...(minItems !== undefined && { minItems }),
          ...(maxItems !== undefined && { maxItems }),
        };
      }
      default:
        return allowed.has(node.kind) ? node : NEVER;
    }
  }

  function intersection(members: readonly Node[], allowed: Types): Node {
    const left = members.map((each) => typesOf(each, definitions)).reduce(common, allowed);
    const parts = members
      .map((member) => relax(member, left))
      .flatMap((part) => (part.kind === 'intersection' ? part.members : part))
      .filter(({ kind }) => kind !== 'any');
    if (left.size === 0 || parts.some(({ kind }) => kind === 'never')) return NEVER;
    const [first = ANY, ...others] = parts;
    return others.length === 0 ? first : { kind: 'intersection', members: [first, ...others] };
  }

  function object(node: ObjectNode): ObjectNode {
    const { properties, additional, patterns = [], hasProperties } = node;
    const typed = properties.map((each): Property => ({ ...each, node: property(each) }));
    const unnamed = typed.filter((each) => !isTypeable(each)).map((each) => each.node);
    const matched = [...patterns.map((each) => relax(each.node, ALL)), ...unnamed];
    return {
      kind: 'object',
      properties: typed.filter(isTypeable),
      additional: others(additional, matched),
      hasProperties,
    };
  }

  /** The compiler finds an optional property of such a name on every object, because of its prototype. */
  const property = ({ name, required, node }: Property): Node =>
    name in {} && !required ? annotated(node, ANY) : relax(node, ALL);

  function others(additional: Additional, matched: readonly Node[]): Additional {
    const node = additional.kind === 'typed' ? relax(additional.node, ALL) : undefined;
    if (matched.length === 0) return node ? openOr(node) : additional;
    const rest = node ?? (additional.kind === 'closed' ? NEVER : ANY);
    return { kind: 'typed', node: union([rest, ...matched]) };
  }

  function relaxedObject(node: Node): Node {
    const own = relax(node, OBJECT);
    if (isObject(own)) return own;
    return own.kind === 'any' ? annotated(own, ANY_OBJECT) : intersection([own, ANY_OBJECT], ALL);
  }

  return [...definitions.values()].map(({ node, ...each }) => ({
    ...each,
    node: objects.has(each.name) ? relaxedObject(node) : relax(node, ALL),
  }));
}

type Types = ReadonlySet<TypeName>;

const ALL: Types = new Set(TYPE_NAMES);
const OBJECT: Types = new Set(['object']);
const ANY_OBJECT: Node = {
  kind: 'object',
  properties: [],
  additional: { kind: 'unsaid' },
  hasProperties: false,
};
const ANY: Node = { kind: 'any' };
const NEVER: Node = { kind: 'never' };
const STRING: Node = { kind: 'string' };

const isTypeable = ({ name }: Property): boolean => isTypeableName(name);

function annotated(from: Node, to: Node): Node {
  const { description, deprecated } = from;
  const own = {
    ...(description !== undefined && { description }),
    ...(deprecated && { deprecated }),
  };
  return Object.keys(own).length === 0 ? to : { ...to, ...own };
}

const openOr = (node: Node): Additional =>
  node.kind === 'any' ? { kind: 'open' } : { kind: 'typed', node };

function union(members: readonly Node[]): Node {
  if (members.some(({ kind }) => kind === 'any')) return ANY;
  const [first = NEVER, ...others] = members.filter(({ kind }) => kind !== 'never');
  return others.length === 0 ? first : { kind: 'union', members: [first, ...others] };
}

/** Whether a node is an object in the type too. */
function isObject(node: Node): boolean {
  if (node.kind === 'object' || node.kind === 'never') return true;
  if (node.kind === 'constant') return typeOf(node.value) === 'object';
  if (node.kind === 'intersection') return node.members.some(isObject);
  return node.kind === 'union' && node.members.every(isObject);
}

function literal(values: readonly JsonPrimitive[]): Node {
  const kept = values.filter(isLiteral);
  const wide = new Set(values.filter((value) => !isLiteral(value)).map(typeOf));
  return union([
    ...(kept.length > 0 ? [{ kind: 'literal', values: kept } as const] : []),
    ...(wide.has('string') ? [STRING] : []),
    ...(wide.has('number') ? [{ kind: 'number', integer: false } as const] : []),
  ]);
}

const common = (some: Types, others: Types): Types =>
  new Set([...some].filter((each) => others.has(each)));
