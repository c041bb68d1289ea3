import {
  leadingTo,
  mapNode,
  mapParts,
  objectsOf,
  recursiveNames,
  resolve,
} from '../../ir/index.js';
import type { Definitions, Node, Protocol } from '../../ir/index.js';
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
  /** Whether one value may contain many values of this node: in a list, or in a map. */
  readonly isRepeated: (node: Node) => boolean;
  /** Whether this node is the items of a list, and not only one kind of them. */
  readonly isItem: (node: Node) => boolean;
  /** The same text for nodes that one function can check. */
  readonly form: (node: Node) => string;
}

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
  const { items, repeated } = repetitionsIn(definitions);
  const isItem = (node: Node): boolean => items.has(node);
  const isRepeated = (node: Node): boolean => repeated.has(node);
  return { definitions, needsContext, isRecursive, isRepeated, isItem, standIn, form };
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

function referencesOf(node: Node): Set<string> {
  const names = new Set<string>();
  mapNode(node, (inner) => {
    if (inner.kind === 'ref') names.add(inner.name);
    return inner;
  });
  return names;
}

interface Repetitions {
  readonly items: ReadonlySet<Node>;
  /** The items of lists, the values of maps, and all that is in them, except what is a message's own params or result. */
  readonly repeated: ReadonlySet<Node>;
}

function repetitionsIn(definitions: Definitions): Repetitions {
  const items = new Set<Node>();
  const found = new Set<Node>();
  // An explicit stack, because an untrusted schema decides the length of a chain of references.
  const waiting: Node[] = [];
  const search = (node: Node): Node => {
    if (node.kind === 'array') {
      items.add(resolve(node.items, definitions));
      waiting.push(node.items);
    }
    if (node.kind === 'object' && node.additional.kind === 'typed') {
      waiting.push(node.additional.node);
    }
    return mapParts(node, search);
  };
  const all = [...definitions.values()].map(({ node }) => node);
  all.forEach(search);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    const target = next.kind === 'ref' && definitions.get(next.name)?.node;
    if (target) waiting.push(target);
    mapParts(next, (part) => {
      waiting.push(part);
      return part;
    });
  }
  const own = all
    .filter((node) => !found.has(node))
    .flatMap((node) => objectsOf(node, definitions));
  own.forEach((node) => found.delete(node));
  return { items, repeated: found };
}

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
