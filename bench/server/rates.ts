import type { Server } from './client.js';
import type { Flow } from './flows.js';
import { openWire } from './wire.js';

/** Units of work of one connection, one at a time. */
export interface Worker {
  readonly work: () => Promise<unknown>;
  /** Ends what the connection left behind on the server. It is not measured. */
  readonly close: () => Promise<void> | void;
}

/** One server at one kind of work. */
export interface Runner {
  readonly server: Server;
  /** Opens the connection with this number. It is not measured. */
  readonly open: (index: number) => Promise<Worker>;
  /** Requests of one unit of work; default 1. */
  readonly requests?: number;
}

/** Runs a flow on each connection. */
export function flowing(server: Server, flow: Flow): Runner & { readonly flow: Flow } {
  return {
    server,
    flow,
    async open() {
      const { ask, close } = await openWire(server.url);
      return { work: () => flow(ask), close };
    },
  };
}

/** By contender. */
export type Runners = Readonly<Record<string, Runner>>;

/** Units of work per second: of processor time, and of time. */
export interface Rates {
  readonly perCore: number[];
  readonly perSecond: number[];
}

export interface Turns {
  readonly rounds: number;
  readonly connections: number;
  /** Units of work in a round. */
  readonly units: number;
  /** Requests before the first round. */
  readonly warmUp: number;
}

/** Runs all contenders in each round, so that other load on the machine affects all. */
export async function inTurns(
  runners: Runners,
  { rounds, connections, units, warmUp }: Turns,
): Promise<Record<string, Rates>> {
  const rates: Record<string, Rates> = {};
  for (const [each, run] of Object.entries(runners)) {
    if (warmUp > 0) await saturated(run, warmUp / (run.requests ?? 1), connections);
    rates[each] = { perCore: [], perSecond: [] };
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [each, run] of Object.entries(runners)) {
      const { perCore, perSecond } = await saturated(run, units, connections);
      rates[each]?.perCore.push(perCore);
      rates[each]?.perSecond.push(perSecond);
    }
  }
  return rates;
}

export const perCore = (
  rates: Readonly<Record<string, Rates>>,
): Record<string, readonly number[]> =>
  Object.fromEntries(Object.entries(rates).map(([name, { perCore }]) => [name, perCore]));

/** As fast as the connections allow, each with one unit of work at a time. */
async function saturated(
  { server, open }: Runner,
  units: number,
  connections: number,
): Promise<{ readonly perCore: number; readonly perSecond: number }> {
  const workers = await Promise.all(Array.from({ length: connections }, (_, index) => open(index)));
  let left = units;
  const before = await server.usage();
  const begun = performance.now();
  await Promise.all(
    workers.map(async ({ work }) => {
      while (left > 0) {
        left -= 1;
        await work();
      }
    }),
  );
  const spent = performance.now() - begun;
  const after = await server.usage();
  for (const { close } of workers) await close();
  return {
    perCore: (units / (after.cpu - before.cpu)) * 1e6,
    perSecond: (units / spent) * 1_000,
  };
}
