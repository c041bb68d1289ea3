import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { percentile, type Bench, type Row } from '../bench.js';
import { measured, OURS } from '../measured.js';
import { sleep } from '../tasks/sqlite-engine.js';
import { type Server, withServers } from './client.js';
import type { Flooded, Kind, Order } from './flood-child.js';
import { blockedResult, plainCall } from './flows.js';
import { openLoop } from './open-loop.js';
import { programs } from './programs.js';
import { sessionClient } from './requests.js';
import { openWire } from './wire.js';

const PER_SECOND = 10_000;
const CONNECTIONS = 16;
const ROUNDS = 4;
const ROUND_MS = 2_500;
/** Plain calls of the other client, and its tasks that run at a time. */
const CALLS_PER_SECOND = 100;
const TASKS = 8;

/** One client guesses ids of tasks; another one makes calls and waits for results meanwhile. */
export const flood: Bench = {
  name: 'server/flood',
  async run() {
    const { flood: path } = await programs();
    const flooder = fork(path);
    try {
      return await withServers(['ours-limited', 'peer', 'sdk', 'fastmcp'], (...servers) =>
        measure(flooder, servers),
      );
    } finally {
      flooder.disconnect();
    }
  },
};

const NAMES = [OURS, 'SDK v1', 'SDK v2', 'fastmcp (npm)'] as const;
type Name = (typeof NAMES)[number];

/** What the other client and the flood got, in milliseconds and answers per second. */
interface Watched {
  readonly calls: number[];
  readonly results: number[];
  readonly rates: number[];
}

type All = Record<Name, Record<Kind, Watched>>;

async function measure(flooder: ChildProcess, servers: readonly Server[]): Promise<Row[]> {
  const none = (): Watched => ({ calls: [], results: [], rates: [] });
  const all = Object.fromEntries(
    NAMES.map((name) => [name, { bogus: none(), ping: none() }]),
  ) as unknown as All;
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [index, name] of NAMES.entries()) {
      for (const kind of ['bogus', 'ping'] as const) {
        const server = servers[index];
        if (server === undefined) continue;
        // Another caller each time: one may not create as many tasks in so short a time.
        const caller = `ann${round}${kind}`;
        // The first round warms up.
        const into = round === 0 ? none() : all[name][kind];
        await watch(flooder, { server, name, kind, caller }, into);
      }
    }
  }
  return [callsRow(all), resultsRow(all)];
}

interface Watching {
  readonly server: Server;
  readonly name: Name;
  readonly kind: Kind;
  /** The token of the client that is measured. */
  readonly caller: string;
}

async function watch(
  flooder: ChildProcess,
  { server, name, kind, caller }: Watching,
  into: Watched,
): Promise<void> {
  const client = await sessionClient(server.url, caller);
  const order: Order = {
    url: server.url,
    kind,
    perSecond: PER_SECOND,
    connections: CONNECTIONS,
    ms: ROUND_MS,
  };
  const flooded = once(flooder, 'message') as Promise<[Flooded]>;
  flooder.send(order);
  await sleep(200);
  const until = performance.now() + ROUND_MS - 400;
  const hasTasks = name === OURS || name === 'SDK v1';
  const [calls] = await Promise.all([
    openLoop({
      url: server.url,
      flow: plainCall(client),
      perSecond: CALLS_PER_SECOND,
      ms: ROUND_MS - 400,
      connections: CONNECTIONS,
      wait: 'sleep',
    }),
    ...Array.from({ length: hasTasks ? TASKS : 0 }, async () => {
      const { ask, close } = await openWire(server.url);
      const flow = blockedResult(client);
      while (performance.now() < until) into.results.push(await flow(ask));
      close();
    }),
  ]);
  into.calls.push(...calls.delays);
  into.rates.push((await flooded)[0].perSecond);
}

/** The 99th percentile of the other client under guesses may be this much more than under answered pings. */
const SLOWER = 1.2;

function callsRow(all: All): Row {
  const row = measured({
    row: "10,000 bogus ids a second over HTTP; others' plain calls, p99",
    unit: 'ms',
    better: 'less',
    shown: 'p99',
    bars: Object.fromEntries(
      NAMES.flatMap((name) => [
        [name, all[name].bogus.calls],
        [`${name}, pings instead`, all[name].ping.calls],
      ]),
    ),
  });
  const pings = percentile(all[OURS].ping.calls, 0.99);
  const rates = NAMES.map((name) => {
    const rate = percentile(all[name].bogus.rates, 0.5);
    return `${name} ${Math.round(rate).toLocaleString('en')}`;
  });
  return {
    ...row,
    goal: "others' p99 +≤ 20 % of as many pings",
    peer: `${row.peer}; refused a second: ${rates.join(', ')}`,
    met: percentile(all[OURS].bogus.calls, 0.99) <= pings * SLOWER,
  };
}

const resultsRow = ({ [OURS]: ours, 'SDK v1': peer }: All): Row =>
  measured({
    row: 'blocked tasks/result while 10,000 bogus ids a second are refused, p99',
    unit: 'ms',
    better: 'less',
    shown: 'p99',
    most: 5,
    bars: {
      [OURS]: ours.bogus.results,
      [`${OURS}, pings instead`]: ours.ping.results,
      'SDK v1': peer.bogus.results,
      'SDK v1, pings instead': peer.ping.results,
    },
  });
