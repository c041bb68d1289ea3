import type { Definitions, Node, Party, Protocol } from '../ir/index.js';

const PARTIES: readonly Party[] = ['client', 'server'];

/** The senders of messages that contain a definition. */
export type Flow = ReadonlyMap<string, ReadonlySet<Party>>;

/** Finds the senders of every definition from the messages that contain it. */
export function flowOf(protocol: Protocol, definitions: Definitions): Flow {
  const flow = new Map<string, Set<Party>>();
  const reach = (name: string, party: Party): void => {
    const waiting = [name];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const parties = flow.get(next) ?? new Set();
      if (parties.has(party)) continue;
      flow.set(next, parties.add(party));
      const node = definitions.get(next)?.node;
      if (node) waiting.push(...referencesIn(node));
    }
  };
  for (const { definition, senders, results } of protocol.requests) {
    for (const sender of senders) {
      reach(definition, sender);
      for (const result of results) reach(result, otherParty(sender));
    }
  }
  for (const { definition, senders } of protocol.notifications) {
    for (const sender of senders) reach(definition, sender);
  }
  for (const { method, result } of protocol.addedResults) {
    const senders = protocol.requests.find((request) => request.method === method)?.senders;
    for (const sender of senders ?? ['client' as const]) reach(result, otherParty(sender));
  }
  return flow;
}

export function otherParty(party: Party): Party {
  return party === 'client' ? 'server' : 'client';
}

export function sendersOf(name: string, ...flows: readonly Flow[]): Party[] {
  return PARTIES.filter((party) => flows.some((flow) => flow.get(name)?.has(party)));
}

function referencesIn(node: Node): string[] {
  switch (node.kind) {
    case 'ref':
      return [node.name];
    case 'array':
      return referencesIn(node.items);
    case 'union':
    case 'intersection':
      return node.members.flatMap(referencesIn);
    case 'object': {
      const { additional } = node;
      return [
        ...node.properties.flatMap((property) => referencesIn(property.node)),
        ...(additional.kind === 'typed' ? referencesIn(additional.node) : []),
      ];
    }
    default:
      return [];
  }
}
