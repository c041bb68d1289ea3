import {
  type ArrayNode,
  type JsonPrimitive,
  type Node,
  type ObjectNode,
  type Property,
  resolve,
  type UnionNode,
} from '../../json-schema/index.js';
import { accepts, isEqual } from './meaning.js';
import type { Change, Role } from './model.js';
import { sayAdditional, sayKey, sayNode } from './say.js';
import { sameNode, view } from './scope.js';
import type { Scoped } from '../../json-schema/compare/index.js';

/** The changes of one definition, field by field. */
export function compareNodes(before: Scoped, after: Scoped): Change[] {
  return sameNode(before.node, after.node) ? [] : compare(before, after, '', new Set());
}

/** `expanded` contains the compared pairs of references, because each is compared once. */
function compare(before: Scoped, after: Scoped, path: string, expanded: Set<string>): Change[] {
  const defaults = defaultChange(before, after, path);
  if (sameNode(bare(before.node), bare(after.node))) return defaults;
  const [a, b] = [partsOf(before), partsOf(after)];
  const parts = isRepeated(before.node, after.node, expanded)
    ? []
    : compareParts({ ...before, node: a }, { ...after, node: b }, path, expanded);
  const changes = isEqual(before, after) ? parts.filter(isNotation) : parts;
  return [...(changes.length > 0 ? changes : [typeChange(before, after, path)]), ...defaults];
}

/** A node as what is compared part by part; values beside rules that all of them keep are values. */
function partsOf(scope: Scoped): Node {
  const node = view(scope);
  if (node.kind !== 'intersection') return node;
  const values = node.members.find(({ kind }) => kind === 'literal');
  const isKept = (rule: Node): boolean =>
    values !== undefined && accepts({ ...scope, node: rule }, { ...scope, node: values });
  return values && node.members.every(isKept) ? values : node;
}

const isNotation = ({ kind }: Change): boolean => kind === 'restated' || kind === 'default';

function isRepeated(before: Node, after: Node, expanded: Set<string>): boolean {
  if (before.kind !== 'ref' || after.kind !== 'ref') return false;
  const pair = `${before.name} ${after.name}`;
  if (expanded.has(pair)) return true;
  expanded.add(pair);
  return false;
}

/** Compares the parts if both nodes have parts of the same kind. */
function compareParts(
  before: Scoped,
  after: Scoped,
  path: string,
  expanded: Set<string>,
): Change[] {
  const [a, b] = [before.node, after.node];
  const deeper = (from: Node, to: Node, at: string): Change[] =>
    sameNode(from, to)
      ? []
      : compare({ ...before, node: from }, { ...after, node: to }, at, expanded);
  if (a.kind === 'object' && b.kind === 'object') {
    return compareObjects(a, b, { before, after, path, deeper });
  }
  if (a.kind === 'array' && b.kind === 'array' && sameNode(shell(a), shell(b))) {
    return deeper(a.items, b.items, `${path}[]`);
  }
  if (isChoice(a) && isChoice(b)) return compareChoices(a, b, { before, after, path, deeper });
  return [];
}

interface Place {
  readonly before: Scoped;
  readonly after: Scoped;
  readonly path: string;
  readonly deeper: (before: Node, after: Node, path: string) => Change[];
}

function compareObjects(a: ObjectNode, b: ObjectNode, place: Place): Change[] {
  const [old, now] = [byName(a), byName(b)];
  const added = b.properties.filter(({ name }) => !old.has(name));
  const removed = a.properties.filter(({ name }) => !now.has(name));
  const common = a.properties.flatMap((property): (readonly [Property, Property])[] => {
    const next = now.get(property.name);
    return next ? [[property, next]] : [];
  });
  return [
    ...removed.map((property) => removal(property, b, place)),
    ...added.map((property) => addition(property, a, place)),
    ...common.flatMap(([from, to]) => [
      ...requiredChange(from, to, place),
      ...place.deeper(from.node, to.node, at(place.path, from.name)),
    ]),
    ...othersChange(a, b, place),
  ];
}

function byName({ properties }: ObjectNode): Map<string, Property> {
  return new Map(properties.map((property) => [property.name, property]));
}

function at(path: string, name: string): string {
  return path === '' ? sayKey(name) : `${path}.${sayKey(name)}`;
}

/** A new property: old senders leave it out, and old receivers get it. */
function addition({ name, required, node }: Property, owner: ObjectNode, place: Place): Change {
  const tolerated = toleratesExtra(owner, place.before, { ...place.after, node });
  return {
    path: at(place.path, name),
    kind: 'added',
    after: `${required ? 'required' : 'optional'}, ${sayNode(node)}`,
    breaks: roles(required, !tolerated),
  };
}

/** A removed property: old senders still send it, and old receivers may miss it. */
function removal({ name, required, node }: Property, owner: ObjectNode, place: Place): Change {
  const tolerated = toleratesExtra(owner, place.after, { ...place.before, node });
  return {
    path: at(place.path, name),
    kind: 'removed',
    before: `${required ? 'required' : 'optional'}, ${sayNode(node)}`,
    breaks: roles(!tolerated, required),
  };
}

function toleratesExtra({ additional }: ObjectNode, scope: Scoped, value: Scoped): boolean {
  if (additional.kind === 'typed') return accepts({ ...scope, node: additional.node }, value);
  return additional.kind !== 'closed';
}

function requiredChange(from: Property, to: Property, { path }: Place): Change[] {
  if (from.required === to.required) return [];
  return [
    {
      path: at(path, from.name),
      kind: to.required ? 'now-required' : 'now-optional',
      breaks: roles(to.required, from.required),
    },
  ];
}

/** The rule for keys without a property. */
function othersChange(a: ObjectNode, b: ObjectNode, { before, after, path }: Place): Change[] {
  const [from, to] = [others(a), others(b)];
  if (sameNode(from, to)) return [];
  const change = typeChange(
    { ...before, node: from },
    { ...after, node: to },
    `${path}${path && '.'}*`,
  );
  // The words for the other keys say nothing about a pattern or a number of keys.
  if (sayAdditional(a.additional) === sayAdditional(b.additional)) return [change];
  return [{ ...change, before: sayAdditional(a.additional), after: sayAdditional(b.additional) }];
}

function others(node: ObjectNode): ObjectNode {
  const { additional, patterns, names, minProperties, maxProperties } = node;
  return {
    kind: 'object',
    properties: [],
    additional,
    hasProperties: false,
    ...(patterns && { patterns }),
    ...(names && { names }),
    ...(minProperties !== undefined && { minProperties }),
    ...(maxProperties !== undefined && { maxProperties }),
  };
}

/** Compares unions and enumerations. */
function isChoice(node: Node): node is UnionNode | Extract<Node, { kind: 'literal' }> {
  return node.kind === 'union' || node.kind === 'literal';
}

function choicesOf(node: Node): Node[] {
  if (node.kind === 'union') return node.members.flatMap(choicesOf);
  if (node.kind !== 'literal') return [node];
  return node.values.map((value: JsonPrimitive): Node => ({ kind: 'literal', values: [value] }));
}

/** Old receivers get an added member, and old senders may still send a removed one. */
function compareChoices(a: Node, b: Node, place: Place): Change[] {
  const { path, before, after } = place;
  const { removed, added } = unmatched(choicesOf(a), choicesOf(b), place);
  const [from] = removed;
  const [to] = added;
  if (removed.length === 1 && added.length === 1 && from?.kind === to?.kind && from && to) {
    if (from.kind !== 'literal' && from.kind !== 'ref') return place.deeper(from, to, place.path);
  }
  return [
    ...removed.map((choice): Change => {
      const covered = accepts(after, { ...before, node: choice });
      return { path, kind: 'removed', before: sayNode(choice), breaks: roles(!covered, false) };
    }),
    ...added.map((choice): Change => {
      const covered = accepts(before, { ...after, node: choice });
      return { path, kind: 'added', after: sayNode(choice), breaks: roles(false, !covered) };
    }),
  ];
}

/** The choices of each side that the other lacks. Those of a reference are taken one by one. */
function unmatched(old: readonly Node[], now: readonly Node[], { before, after }: Place) {
  const isSame = (from: Node, to: Node): boolean =>
    sameNode(from, to) || isEqual({ ...before, node: from }, { ...after, node: to });
  const without = (from: readonly Node[], to: readonly Node[]) => ({
    removed: from.filter((choice) => !to.some((each) => isSame(choice, each))),
    added: to.filter((choice) => !from.some((each) => isSame(each, choice))),
  });
  const { removed, added } = without(old, now);
  return without(removed.flatMap(spreadIn(before)), added.flatMap(spreadIn(after)));
}

const spreadIn =
  ({ definitions }: Scoped) =>
  (node: Node): Node[] =>
    choicesOf(resolve(node, definitions)).length > 1
      ? choicesOf(resolve(node, definitions))
      : [node];

function typeChange(before: Scoped, after: Scoped, path: string): Change {
  const breaks = roles(!accepts(after, before), !accepts(before, after));
  return {
    path,
    kind: breaks.length === 0 ? 'restated' : 'changed',
    before: sayNode(before.node),
    after: sayNode(after.node),
    breaks,
  };
}

function defaultChange(before: Scoped, after: Scoped, path: string): Change[] {
  const [from, to] = [before, after].map(({ node }) => JSON.stringify(node.default));
  if (from === to) return [];
  return [
    {
      path,
      kind: 'default',
      ...(from !== undefined && { before: from }),
      ...(to !== undefined && { after: to }),
      breaks: [],
    },
  ];
}

function bare(node: Node): Node {
  return { ...node, default: null };
}

function shell(node: ArrayNode): Node {
  return { ...node, items: { kind: 'any' } };
}

function roles(sender: boolean, receiver: boolean): Role[] {
  return [...(sender ? (['sender'] as const) : []), ...(receiver ? (['receiver'] as const) : [])];
}
