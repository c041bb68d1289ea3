import {
  type ArrayNode,
  type Definitions,
  leadingTo,
  mapNode,
  mapParts,
  type Node,
  type ObjectNode,
  recursiveNames,
  referencesOf,
  resolve,
} from '../../../json-schema/index.js';
import type { Protocol } from '../../ir/index.js';
import { simplify } from './simplify.js';

/** Facts about all definitions that are needed before code is written. */
export interface Plan {
  /** Simplified. */
  readonly definitions: Definitions;
  /** Whether the check of this node needs the context: for formats, or because it is recursive. */
  needsContext(node: Node): boolean;
  /** Whether the definition is recursive, so that its depth needs a limit. */
  readonly isRecursive: (name: string) => boolean;
  /** The first definition that accepts the same values; its functions serve for this one. */
  readonly standIn: (name: string) => string;
  /** How an object with this number of optional properties is read. */
  readonly readingOf: (node: ObjectNode, options: number) => Reading;
  /** Whether an array is in several places of the schema. */
  readonly isShared: (node: ArrayNode) => boolean;
  /** Whether the check of this node may accept `undefined`. */
  readonly admitsAbsence: (node: Node) => boolean;
  /** The same text for nodes that one function can check. */
  readonly form: (node: Node) => string;
}

/**
 * To read a property that an object lacks is slow once the engine has seen objects of many shapes; a loop over the keys only
 * meets what is there. `both`: by property until the process has seen many shapes of the object.
 */
export type Reading = 'property' | 'key' | 'both';

/** Items of lists with this many optional properties are read both ways, because large lists take most of the time. */
const MANY_IN_ITEMS = 6;
/** So are other objects. Those with fewer optional properties have few shapes. */
const MANY = 12;

export function planOf(protocol: Pick<Protocol, 'definitions'>): Plan {
  const exact = protocol.definitions.some(({ node }) => contains(node, isUnevaluated));
  const definitions = new Map(
    protocol.definitions.map((each) => [each.name, { ...each, node: simplify(each.node, exact) }]),
  );
  const all = [...definitions.values()];
  const references = new Map(all.map(({ name, node }) => [name, referencesOf(node)]));
  const recursive = recursiveNames(references);
  const isRecursive = (name: string): boolean => recursive.has(name);
  const formatted = all.filter(({ node }) => hasFormat(node)).map(({ name }) => name);
  const needing = leadingTo([...formatted, ...recursive], references);
  const needsContext = (node: Node): boolean =>
    hasFormat(node) || [...referencesOf(node)].some((name) => needing.has(name));
  const form = (node: Node): string => canonicalForm(node, exact);
  const standIns = standInsOf(definitions, form);
  const standIn = (name: string): string => standIns.get(name) ?? name;
  const items = itemsIn(definitions);
  const readingOf = (node: ObjectNode, options: number): Reading =>
    options >= (items.has(node) ? MANY_IN_ITEMS : MANY) ? 'both' : 'property';
  const shared = sharedArrays(definitions, form);
  const isShared = (node: ArrayNode): boolean => shared.has(form(node));
  const admitsAbsence = (node: Node): boolean => admitsUndefined(node, definitions);
  return {
    definitions,
    needsContext,
    isRecursive,
    readingOf,
    isShared,
    admitsAbsence,
    standIn,
    form,
  };
}

const isUnevaluated = ({ kind }: Node): boolean => kind === 'unevaluated';

const hasFormat = (node: Node): boolean =>
  contains(node, (inner) => inner.kind === 'string' && inner.format !== undefined);

function contains(node: Node, test: (inner: Node) => boolean): boolean {
  let found = false;
  mapNode(node, (inner) => {
    found ||= test(inner);
    return inner;
  });
  return found;
}

/** The items of lists. */
function itemsIn(definitions: Definitions): Set<Node> {
  const items = new Set<Node>();
  const search = (node: Node): Node => {
    if (node.kind === 'array') items.add(resolve(node.items, definitions));
    return mapParts(node, search);
  };
  for (const { node } of definitions.values()) search(node);
  return items;
}

/** The forms of the arrays that are in several places, or that a definition is. */
function sharedArrays(definitions: Definitions, formOf: (node: Node) => string): Set<string> {
  const met = new Set<string>();
  const shared = new Set<string>();
  const search = (node: Node): Node => {
    if (node.kind === 'array') {
      const form = formOf(node);
      if (met.has(form)) shared.add(form);
      met.add(form);
    }
    return mapParts(node, search);
  };
  for (const { node } of definitions.values()) {
    if (node.kind === 'array') shared.add(formOf(node));
    search(node);
  }
  return shared;
}

/** True if in doubt, such as for what is not a string. */
function admitsUndefined(
  node: Node,
  definitions: Definitions,
  waiting: ReadonlySet<string> = new Set(),
): boolean {
  switch (node.kind) {
    case 'ref': {
      const target = definitions.get(node.name)?.node;
      if (target === undefined || waiting.has(node.name)) return true;
      return admitsUndefined(target, definitions, new Set([...waiting, node.name]));
    }
    case 'union':
    case 'exclusive':
      return node.members.some((each) => admitsUndefined(each, definitions, waiting));
    case 'intersection':
      return node.members.every((each) => admitsUndefined(each, definitions, waiting));
    default:
      return !TYPED.has(node.kind);
  }
}

/** What a value of another type, and so `undefined`, never matches. */
const TYPED: ReadonlySet<Node['kind']> = new Set<Node['kind']>([
  ...(['null', 'boolean', 'string', 'number', 'literal', 'constant', 'object', 'array'] as const),
  'never',
]);

/** Definitions that only refer to another, or are equal to another. */
function standInsOf(definitions: Definitions, formOf: (node: Node) => string): Map<string, string> {
  const byForm = new Map<string, string>();
  const found = new Map<string, string>();
  for (const [name, { node }] of definitions) {
    const target = targetOf(name, node, definitions);
    const form = formOf(definitions.get(target)?.node ?? node);
    const first = byForm.get(form) ?? target;
    byForm.set(form, first);
    found.set(name, first);
  }
  return found;
}

function targetOf(name: string, node: Node, definitions: Definitions): string {
  const seen = new Set([name]);
  let target = name;
  for (let next = node; next.kind === 'ref' && !seen.has(next.name);) {
    target = next.name;
    seen.add(target);
    next = definitions.get(target)?.node ?? next;
  }
  return target;
}

const UNIMPORTANT = new Set(['discriminator', 'hasProperties', 'default', 'deprecated', 'pointer']);

/** `unsaid` and `open` accept the same keys; `exact` tells them apart for `unevaluated`. */
function canonicalForm(node: Node, exact: boolean): string {
  return JSON.stringify(node, (key, value: unknown) => {
    if (UNIMPORTANT.has(key)) return undefined;
    // A constant may have keys of these names.
    if (key === 'value' && typeof value === 'object') return JSON.stringify(value);
    if (key === 'description' && typeof value === 'string') return undefined;
    return !exact && key === 'kind' && value === 'unsaid' ? 'open' : value;
  });
}
