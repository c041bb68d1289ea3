import { mapNode } from '../lookup.js';
import type { Definitions } from '../lookup.js';
import type { Node } from '../model.js';

/** A node with the definitions that its references lead to. */
export interface Scoped {
  readonly node: Node;
  readonly definitions: Definitions;
}

/** Two nodes with one table of definitions. */
export interface Joined {
  readonly nodes: readonly [Node, Node];
  /** The same object for the same two tables. */
  readonly definitions: Definitions;
}

/** Nodes that were read apart, so that one name may stand for two definitions: each table gets names of its own. */
export function joined(one: Scoped, other: Scoped): Joined {
  const [a, b] = [tableOf(one.definitions), tableOf(other.definitions)];
  const definitions = a.beside.get(b) ?? new Map([...a.definitions, ...b.definitions]);
  a.beside.set(b, definitions);
  return { definitions, nodes: [a.renamed(one.node), b.renamed(other.node)] };
}

/** The name of a definition in the table that it came from. */
export const ownName = (name: string): string => name.slice(name.indexOf(' ') + 1);

interface Table {
  readonly renamed: (node: Node) => Node;
  readonly definitions: Definitions;
  readonly beside: WeakMap<Table, Definitions>;
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
      part.kind === 'ref' ? { ...part, name: prefix + part.name } : part,
    );
    done.set(node, changed);
    return changed;
  };
  const table: Table = {
    renamed,
    definitions: new Map(
      [...definitions].map(([name, each]) => [
        prefix + name,
        { ...each, name: prefix + name, node: renamed(each.node) },
      ]),
    ),
    beside: new WeakMap(),
  };
  tables.set(definitions, table);
  return table;
}
