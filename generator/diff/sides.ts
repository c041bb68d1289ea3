import type { Party } from '../ir/index.js';
import { otherParty } from './flow.js';
import type { ProtocolDiff, Role } from './model.js';

const SIDES: readonly Party[] = ['client', 'server'];

/** A change, and the programs that it breaks: none for a safe one. */
type Sided<T> = T & { readonly sides: readonly Party[] };

/** The sides that a change breaks. Without known senders, it may be either. */
function sidesOf(breaks: readonly Role[], sentBy: readonly Party[]): Party[] {
  const senders = sentBy.length > 0 ? sentBy : SIDES;
  const broken = breaks.flatMap((role) => (role === 'sender' ? senders : senders.map(otherParty)));
  return SIDES.filter((side) => broken.includes(side));
}

function sided<T extends { readonly breaks: readonly Role[] }>(
  change: T,
  sentBy: readonly Party[],
): Sided<T> {
  return { ...change, sides: sidesOf(change.breaks, sentBy) };
}

/** The same differences, each with the sides that it breaks. */
export function withSides({ definitions, methods, ...names }: ProtocolDiff) {
  return {
    ...names,
    definitions: {
      ...definitions,
      changed: definitions.changed.map(({ changes, ...rest }) => ({
        ...rest,
        changes: changes.map((change) => sided(change, rest.sentBy)),
      })),
    },
    methods: {
      added: methods.added.map((each) => sided(each, each.senders)),
      removed: methods.removed.map((each) => sided(each, each.senders)),
      changed: methods.changed.map(({ changes, ...rest }) => ({
        ...rest,
        changes: changes.map((change) => sided(change, change.sentBy)),
      })),
    },
  };
}

/** How many changes break clients, and how many servers. */
export function countSides(diff: ProtocolDiff): Readonly<Record<Party, number>> {
  const { definitions, methods } = withSides(diff);
  const all = [
    ...definitions.changed.flatMap(({ changes }) => changes),
    ...methods.added,
    ...methods.removed,
    ...methods.changed.flatMap(({ changes }) => changes),
  ];
  const count = (side: Party): number => all.filter(({ sides }) => sides.includes(side)).length;
  return { client: count('client'), server: count('server') };
}
