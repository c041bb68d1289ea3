import { percentile, type Bench, type Row } from '../bench.js';
import { measured, OURS } from '../measured.js';
import { type Server, withServers } from './client.js';
import {
  type Client,
  type Flow,
  getTask,
  life,
  modernClient,
  openWire,
  plainCall,
  sessionClient,
} from './flows.js';
import { openLoop } from './open-loop.js';

/** All servers in turns: requests per second and core, delays at half that load, and many connections. */
export const peers: Bench = {
  name: 'server/peers',
  run: () =>
    withServers(['ours', 'peer', 'sdk', 'sdk-modern', 'fastmcp', 'bare'], async (...servers) =>
      measureAll(servers as unknown as Servers),
    ),
};

type Servers = readonly [Server, Server, Server, Server, Server, Server];

const ROUNDS = 5;
const UNITS = 1_500;
const WARM_UP = 3_000;
const CONNECTIONS = 16;

const HALF_ROUNDS = 3;
const HALF_MS = 600;
const HALF_CONNECTIONS = 64;

const CROWD_ROUNDS = 3;

/** One server at one kind of work. */
interface Runner {
  readonly server: Server;
  readonly flow: Flow;
  /** Requests of one unit of work. */
  readonly requests: number;
}

type Runners = Readonly<Record<string, Runner>>;

/** Units of work per second: of processor time, and of time. */
interface Rates {
  readonly perCore: number[];
  readonly perSecond: number[];
}

async function measureAll([ours, v1, v2, v2Modern, fast, bare]: Servers): Promise<Row[]> {
  const session = new Map<Server, Client>();
  for (const server of [ours, v1, v2, fast]) session.set(server, await sessionClient(server.url));
  const client = (server: Server): Client => session.get(server) as Client;
  const modern = modernClient(ours.url);
  const plain = (server: Server): Runner => runner(server, plainCall(client(server)));
  const limit = runner(bare, plainCall(modernClient(bare.url)));
  const sdk = plain(v2);
  const sdkModern = runner(v2Modern, plainCall(modernClient(v2Modern.url)));
  const calls = {
    [OURS]: plain(ours),
    'SDK v1': plain(v1),
    'SDK v2': sdk,
    FastMCP: plain(fast),
    'bare Node': limit,
  };
  return [
    ...(await rowsOf('plain call, 2025-11-25', calls)),
    ...(await rowsOf('plain call, 2026-07-28', {
      [OURS]: runner(ours, plainCall(modern)),
      'SDK v2': sdkModern,
      'bare Node': limit,
    })),
    ...(await rowsOf('tasks/get, 2025-11-25 (SQLite; SDK v2, bare: a plain call)', {
      [OURS]: runner(ours, await getTask(ours.url, client(ours))),
      'SDK v1': runner(v1, await getTask(v1.url, client(v1))),
      'SDK v2': sdk,
      'bare Node': limit,
    })),
    ...(await rowsOf('tasks/get, 2026-07-28 (SQLite; SDK v2, bare: a plain call)', {
      [OURS]: runner(ours, await getTask(ours.url, modern)),
      'SDK v2': sdkModern,
      'bare Node': limit,
    })),
    ...(await rowsOf('life cycle, 2025-11-25 (SQLite; SDK v2, bare: two plain calls)', {
      [OURS]: runner(ours, life(client(ours))),
      'SDK v1': runner(v1, life(client(v1))),
      'SDK v2': twice(sdk),
      'bare Node': twice(limit),
    })),
    ...(await crowds(calls)),
  ];
}

function runner(server: Server, flow: Flow): Runner {
  return { server, flow, requests: 1 };
}

function twice({ server, flow }: Runner): Runner {
  const both: Flow = async (ask) => {
    await flow(ask);
    await flow(ask);
  };
  return { server, flow: both, requests: 2 };
}

/** The goals of all requests: how many times a peer's rate ours has to be. */
const GOALS = { 'SDK v1': 1.5, 'SDK v2': 3, 'bare Node': 0.4 };

async function rowsOf(name: string, runners: Runners): Promise<Row[]> {
  const rates = await inTurns(runners, ROUNDS, CONNECTIONS, true);
  const delays = new Map(Object.keys(runners).map((each) => [each, [] as number[]]));
  for (let round = 0; round < HALF_ROUNDS; round += 1) {
    for (const [each, { server, flow }] of Object.entries(runners)) {
      const load = {
        url: server.url,
        flow,
        perSecond: percentile(rates[each]?.perSecond ?? [], 0.5) / 2,
        ms: HALF_MS,
        connections: HALF_CONNECTIONS,
        wait: 'spin',
      } as const;
      delays.get(each)?.push(...(await openLoop(load)).delays);
    }
  }
  return [
    measured({
      row: name,
      unit: 'per second and core',
      better: 'more',
      bars: perCore(rates),
      times: GOALS,
    }),
    measured({
      row: `${name}: delay at half load, p99`,
      unit: 'ms',
      better: 'less',
      shown: 'p99',
      bars: Object.fromEntries(delays),
    }),
  ];
}

/** Many connections, each with a request at a time. */
async function crowds(runners: Runners): Promise<Row[]> {
  const rows: Row[] = [];
  for (const connections of [1, 100, 1_000]) {
    const rates = await inTurns(runners, CROWD_ROUNDS, connections, false);
    rows.push(
      measured({
        row: `plain call, 2025-11-25, connections: ${connections.toLocaleString('en')}`,
        unit: 'per second and core',
        better: 'more',
        bars: perCore(rates),
      }),
    );
  }
  return rows;
}

const perCore = (rates: Readonly<Record<string, Rates>>): Record<string, readonly number[]> =>
  Object.fromEntries(Object.entries(rates).map(([name, { perCore }]) => [name, perCore]));

async function inTurns(
  runners: Runners,
  rounds: number,
  connections: number,
  warmUp: boolean,
): Promise<Record<string, Rates>> {
  const rates: Record<string, Rates> = {};
  for (const [each, run] of Object.entries(runners)) {
    if (warmUp) await saturated(run, WARM_UP / run.requests, connections);
    rates[each] = { perCore: [], perSecond: [] };
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [each, run] of Object.entries(runners)) {
      const { perCore, perSecond } = await saturated(run, UNITS, connections);
      rates[each]?.perCore.push(perCore);
      rates[each]?.perSecond.push(perSecond);
    }
  }
  return rates;
}

/** As fast as the connections allow, each with one unit of work at a time. */
async function saturated(
  { server, flow }: Runner,
  units: number,
  connections: number,
): Promise<{ readonly perCore: number; readonly perSecond: number }> {
  const wires = await Promise.all(Array.from({ length: connections }, () => openWire(server.url)));
  let left = units;
  const before = await server.usage();
  const begun = performance.now();
  await Promise.all(
    wires.map(async ({ ask }) => {
      while (left > 0) {
        left -= 1;
        await flow(ask);
      }
    }),
  );
  const spent = performance.now() - begun;
  const after = await server.usage();
  for (const { close } of wires) close();
  return {
    perCore: (units / (after.cpu - before.cpu)) * 1e6,
    perSecond: (units / spent) * 1_000,
  };
}
