import type { Party } from '../ir/index.js';
import { otherParty } from './flow.js';
import type { Change, MethodSummary, ProtocolDiff, Role } from './model.js';

/** `+42 −32 ~60`, and the number of changes that break a side. */
export interface Count {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly breaking: number;
}

export function countDefinitions({ definitions }: ProtocolDiff): Count {
  return {
    added: definitions.added.length,
    removed: definitions.removed.length,
    changed: definitions.changed.length,
    breaking: definitions.changed.filter(({ changes }) => isBreaking(changes)).length,
  };
}

export function countMethods({ methods }: ProtocolDiff): Count {
  const all = [...methods.added, ...methods.removed, ...methods.changed];
  return {
    added: methods.added.length,
    removed: methods.removed.length,
    changed: methods.changed.length,
    breaking: all.filter(({ breaks }) => breaks.length > 0).length,
  };
}

function isBreaking(changes: readonly { readonly breaks: readonly Role[] }[]): boolean {
  return changes.some(({ breaks }) => breaks.length > 0);
}

export function sayCount({ added, removed, changed, breaking }: Count): string {
  return `+${String(added)} −${String(removed)} ~${String(changed)}, ${String(breaking)} breaking`;
}

/** `18 changes break clients, 7 servers` */
export function saySides({ client, server }: Readonly<Record<Party, number>>): string {
  const changes = (count: number): string => `${String(count)} change${count === 1 ? '' : 's'}`;
  return `${changes(client)} for clients, ${changes(server)} for servers`;
}

/** `clients that send it, servers that receive it`; empty when the change breaks no side. */
export function sayBreaks(breaks: readonly Role[], sentBy: readonly Party[]): string {
  return breaks
    .flatMap((role) => {
      const parties = role === 'sender' ? sentBy : sentBy.map(otherParty);
      const verb = role === 'sender' ? 'send' : 'receive';
      const names = [...parties].sort().map((party) => `${party}s`);
      return `${names.join(' and ') || 'all'} that ${verb} it`;
    })
    .join(', ');
}

/** More methods than a line can name. */
const MOST_NAMED = 3;

/** `tools/call, tools/list`; of many, the first and the number of the others. */
export function sayMethods(methods: readonly string[]): string {
  if (methods.length <= MOST_NAMED) return methods.join(', ');
  const named = methods.slice(0, MOST_NAMED - 1).join(', ');
  return `${named} and ${String(methods.length - MOST_NAMED + 1)} others`;
}

/** `client → server` */
export function sayDirection({ senders }: Pick<MethodSummary, 'senders'>): string {
  const directions = senders.map((sender) => `${sender} → ${otherParty(sender)}`);
  return directions.join(', ') || 'unknown';
}

/** `added: optional, string`, `changed: string → number` */
export function sayChange({ kind, before, after }: Change): string {
  const verb = kind.replace('-', ' ');
  if (before !== undefined && after !== undefined) return `${verb}: ${before} → ${after}`;
  const value = before ?? after;
  return value === undefined ? verb : `${verb}: ${value}`;
}
