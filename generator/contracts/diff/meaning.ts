import { contains, equal } from '../../../json-schema/compare/index.js';
import type { Schemas } from '../../../json-schema/compare/index.js';
import { createJudge, type Definitions, mapNode, type Node } from '../../../json-schema/index.js';
import type { Scoped } from './scope.js';

/**
 * Whether `outer` accepts every value of `inner`; false when that is unclear. Two references to one name
 * count as equal, because a change of the definition is reported there. Senders of `inner` do not use
 * keys that it does not name, so `outer` may define them.
 */
export function accepts(outer: Scoped, inner: Scoped): boolean {
  const { schemas, nodes } = together(outer, inner);
  return contains(...nodes, schemas, 'sent');
}

/** Whether both accept the same values and name the same keys, however they are written; references as in `accepts`. */
export function isEqual(one: Scoped, other: Scoped): boolean {
  const { schemas, nodes } = together(one, other);
  return equal(...nodes, schemas, 'named');
}

interface Together {
  readonly schemas: Schemas;
  readonly nodes: readonly [Node, Node];
}

/** Both nodes and their definitions, with names of their own for each side. */
function together(one: Scoped, other: Scoped): Together {
  const [a, b] = [tableOf(one.definitions), tableOf(other.definitions)];
  const known = a.beside.get(b) ?? schemasOf(a, b);
  a.beside.set(b, known);
  return { schemas: known, nodes: [a.renamed(one.node), b.renamed(other.node)] };
}

/** The definitions of one side. */
interface Table {
  readonly renamed: (node: Node) => Node;
  readonly definitions: Definitions;
  readonly beside: WeakMap<Table, Schemas>;
}

const tables = new WeakMap<Definitions, Table>();
let count = 0;

function tableOf(definitions: Definitions): Table {
  const known = tables.get(definitions);
  if (known) return known;
  const prefix = `${String((count += 1))} `;
  const done = new WeakMap<Node, Node>();
  const renamed = (node: Node): Node => {
    const before = done.get(node);
    if (before) return before;
    const changed = mapNode(node, (part) =>
      part.kind === 'ref' ? { kind: 'ref', name: prefix + part.name } : part,
    );
    done.set(node, changed);
    return changed;
  };
  const table: Table = {
    renamed,
    definitions: new Map(
      [...definitions].map(([name, each]) => [
        prefix + name,
        { ...each, node: renamed(each.node) },
      ]),
    ),
    beside: new WeakMap(),
  };
  tables.set(definitions, table);
  return table;
}

function schemasOf(a: Table, b: Table): Schemas {
  const definitions = new Map([...a.definitions, ...b.definitions]);
  return {
    definitions,
    acceptance: createJudge(definitions),
    isKnown: (one, other) =>
      one.kind === 'ref' &&
      other.kind === 'ref' &&
      (ownName(one.name) === ownName(other.name) ||
        ownName(meant(one.name, definitions)) === ownName(meant(other.name, definitions))),
  };
}

/** The last name that a reference leads to: a definition may be a reference only. */
function meant(name: string, definitions: Definitions): string {
  const passed = new Set<string>();
  let last = name;
  for (let node = definitions.get(name)?.node; node?.kind === 'ref' && !passed.has(last);) {
    passed.add(last);
    last = node.name;
    node = definitions.get(last)?.node;
  }
  return last;
}

const ownName = (name: string): string => name.slice(name.indexOf(' ') + 1);
