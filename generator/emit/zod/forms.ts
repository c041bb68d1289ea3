import { Flattener } from '../../ir/index.js';
import {
  type Definition,
  type Definitions,
  discriminatorOf,
  type IntersectionNode,
  mapNode,
  type Node,
  resolve,
  typesOf,
} from '../../../json-schema/index.js';
import { areDisjoint } from '../validators/union.js';
import { Loosener } from './loosened.js';
import { isExact, isSmall, sizeOf } from './native.js';

/** How a definition is written for Zod. */
export interface Form extends Definition {
  /** What Zod says of it; `undefined` where it can say nothing, or no more than a compiler can take. */
  readonly said: Node | undefined;
  /** Whether that is all. Otherwise a validator says the rest. */
  readonly exact: boolean;
}

export type Forms = ReadonlyMap<string, Form>;

export function formsOf(all: readonly Definition[]): Forms {
  const definitions = simplified(new Map(all.map((each) => [each.name, each])));
  const loosener = new Loosener(definitions);
  return new Map(
    [...definitions].map(([name, definition]) => {
      const exact = isExact(definition.node, definitions);
      const node = exact ? definition.node : loosener.loosen(definition.node);
      const said = isSmall(sizeOf(node)) && (exact || node.kind !== 'any') ? node : undefined;
      return [name, { ...definition, said, exact: exact && said !== undefined }];
    }),
  );
}

/** Merges intersections of objects into objects, and makes unions of alternatives that exclude each other. */
function simplified(definitions: Definitions): Definitions {
  const flattener = new Flattener(definitions);
  const simplify = (node: Node): Node => {
    if (node.kind === 'intersection') {
      const narrow = narrowed(node, definitions);
      return flattener.flatten(narrow) ?? narrow;
    }
    if (node.kind !== 'exclusive' || !areDisjoint(node.members, definitions)) return node;
    const discriminator = discriminatorOf(node.members, definitions);
    return { ...node, kind: 'union', ...(discriminator && { discriminator }) };
  };
  return new Map(
    [...definitions].map(([name, each]) => [name, { ...each, node: mapNode(each.node, simplify) }]),
  );
}

/**
 * Unions without the members whose types other parts refuse: a schema without `type` is a union of all types, and beside an
 * object it says something of objects alone.
 */
function narrowed(node: IntersectionNode, definitions: Definitions): IntersectionNode {
  const types = typesOf(node, definitions);
  const isPossible = (each: Node): boolean =>
    [...typesOf(each, definitions)].some((type) => types.has(type));
  const members = node.members.map((member): Node => {
    const target = resolve(member, definitions);
    if (target.kind !== 'union') return member;
    const possible = target.members.filter(isPossible);
    if (possible.length === target.members.length) return member;
    const { discriminator: _, ...union } = target;
    return possible.length === 1 ? (possible[0] ?? member) : { ...union, members: possible };
  });
  return { ...node, members };
}

/** What Zod says of a node, through references. */
export function saidOf(node: Node, forms: Forms): Node | undefined {
  const seen = new Set<string>();
  let current: Node | undefined = node;
  while (current?.kind === 'ref' && !seen.has(current.name)) {
    seen.add(current.name);
    current = forms.get(current.name)?.said;
  }
  return current;
}
