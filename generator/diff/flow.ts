import { type Definitions, referencesOf } from '../../json-schema/index.js';
import type { Party, Protocol } from '../ir/index.js';

const PARTIES: readonly Party[] = ['client', 'server'];

/** The messages that contain a definition. */
interface Carriers {
  readonly senders: Set<Party>;
  /** Methods of requests, which stand for their results too, and of notifications. */
  readonly methods: Set<string>;
}

/** The messages that contain each definition. */
export type Flow = ReadonlyMap<string, Carriers>;

/** Finds the messages that contain each definition. */
export function flowOf(protocol: Protocol, definitions: Definitions): Flow {
  const flow = new Map<string, Carriers>();
  const reach = (name: string, party: Party, method: string): void => {
    const waiting = [name];
    const seen = new Set<string>();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      const carriers = flow.get(next) ?? { senders: new Set(), methods: new Set() };
      flow.set(next, carriers);
      carriers.senders.add(party);
      carriers.methods.add(method);
      const node = definitions.get(next)?.node;
      if (node) waiting.push(...referencesOf(node));
    }
  };
  for (const { definition, method, senders, results } of protocol.requests) {
    for (const sender of senders) {
      reach(definition, sender, method);
      for (const result of results) reach(result, otherParty(sender), method);
    }
  }
  for (const { definition, method, senders } of protocol.notifications) {
    for (const sender of senders) reach(definition, sender, method);
  }
  for (const { method, result } of protocol.addedResults) {
    const senders = protocol.requests.find((request) => request.method === method)?.senders;
    for (const sender of senders ?? ['client' as const]) reach(result, otherParty(sender), method);
  }
  return flow;
}

export function otherParty(party: Party): Party {
  return party === 'client' ? 'server' : 'client';
}

export function sendersOf(name: string, ...flows: readonly Flow[]): Party[] {
  return PARTIES.filter((party) => flows.some((flow) => flow.get(name)?.senders.has(party)));
}

/** The methods of the messages that contain a definition, sorted. */
export function methodsWith(name: string, ...flows: readonly Flow[]): string[] {
  return [...new Set(flows.flatMap((flow) => [...(flow.get(name)?.methods ?? [])]))].sort();
}
