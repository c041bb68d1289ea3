import { type Flow, guessTask } from './flows.js';
import { openLoop } from './open-loop.js';
import { type Client, sessionClient } from './requests.js';

/** Floods a server from its own process, so that other clients of the bench are not delayed by it. */

/** What the flood consists of: ids that no task has, or as many requests that are answered. */
export type Kind = 'bogus' | 'ping';

export interface Order {
  readonly url: string;
  readonly kind: Kind;
  readonly perSecond: number;
  readonly connections: number;
  readonly ms: number;
}

/** Answered requests per second. */
export interface Flooded {
  readonly perSecond: number;
}

const FLOW: Readonly<Record<Kind, (client: Client) => Flow>> = {
  bogus: guessTask,
  ping: (client) => (ask) => ask(client('ping', {})),
};

process.on('message', (order: Order) => void flood(order));

async function flood({ kind, ...order }: Order): Promise<void> {
  const flow = FLOW[kind](await sessionClient(order.url, 'mallory'));
  const { perSecond } = await openLoop({ ...order, flow, wait: 'sleep' });
  process.send?.({ perSecond } satisfies Flooded);
}
