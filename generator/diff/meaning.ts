import { contains, equal } from '../../json-schema/compare/index.js';
import { joined, ownName } from '../../json-schema/compare/joined.js';
import type { Schemas, Scoped } from '../../json-schema/compare/index.js';
import { createJudge, type Definitions, type Node } from '../../json-schema/index.js';

/**
 * Whether `outer` accepts every value of `inner`; false when that is unclear. Two references to one name
 * count as equal, because a change of the definition is reported there. Senders of `inner` do not use
 * keys that it does not name, so `outer` may define them.
 */
export function accepts(outer: Scoped, inner: Scoped): boolean {
  const { definitions, nodes } = joined(outer, inner);
  return contains(...nodes, schemasOf(definitions), 'sent');
}

/** Whether both accept the same values and name the same keys, however they are written; references as in `accepts`. */
export function isEqual(one: Scoped, other: Scoped): boolean {
  const { definitions, nodes } = joined(one, other);
  return equal(...nodes, schemasOf(definitions), 'named');
}

const known = new WeakMap<Definitions, Schemas>();

function schemasOf(definitions: Definitions): Schemas {
  const schemas = known.get(definitions) ?? {
    definitions,
    acceptance: createJudge(definitions),
    isKnown: (one: Node, other: Node) =>
      one.kind === 'ref' &&
      other.kind === 'ref' &&
      (ownName(one.name) === ownName(other.name) ||
        ownName(meant(one.name, definitions)) === ownName(meant(other.name, definitions))),
  };
  known.set(definitions, schemas);
  return schemas;
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
