import { ms, percentile, type Bench, type Row } from '../bench.js';
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

/** Requests per second and core of all servers, in turns, with the latency at half that load. */
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

/** One server at one kind of work. */
interface Runner {
  readonly server: Server;
  readonly flow: Flow;
  /** Requests of one unit of work. */
  readonly requests: number;
}

interface Measured {
  /** Units of work per second of processor time. */
  readonly perCore: number;
  /** Units of work per second. */
  readonly perSecond: number;
}

async function measureAll([ours, v1, v2, v2Modern, fast, bare]: Servers): Promise<Row[]> {
  const session = new Map<Server, Client>();
  for (const server of [ours, v1, v2, fast]) session.set(server, await sessionClient(server.url));
  const client = (server: Server): Client => session.get(server) as Client;
  const modern = modernClient(ours.url);
  const plain = (server: Server): Runner => runner(server, plainCall(client(server)));
  const limit = runner(bare, plainCall(modernClient(bare.url)));
  const sdk = plain(v2);
  const pair = twice(sdk);
  const rows: Row[] = [];
  rows.push(
    await row('plain call, 2025-11-25', {
      ours: plain(ours),
      'SDK v1': plain(v1),
      'SDK v2': sdk,
      FastMCP: plain(fast),
      bare: limit,
    }),
    await row('plain call, 2026-07-28', {
      ours: runner(ours, plainCall(modern)),
      'SDK v2': runner(v2Modern, plainCall(modernClient(v2Modern.url))),
      bare: limit,
    }),
    await row('tasks/get, 2025-11-25 (SQLite; SDK v2: a plain call)', {
      ours: runner(ours, await getTask(ours.url, client(ours))),
      'SDK v1': runner(v1, await getTask(v1.url, client(v1))),
      'SDK v2': sdk,
      bare: limit,
    }),
    await row('tasks/get, 2026-07-28 (SQLite; SDK v2: a plain call)', {
      ours: runner(ours, await getTask(ours.url, modern)),
      'SDK v2': runner(v2Modern, plainCall(modernClient(v2Modern.url))),
      bare: limit,
    }),
    await row('life cycle, 2025-11-25 (SQLite; SDK v2, bare: two requests)', {
      ours: runner(ours, life(client(ours))),
      'SDK v1': runner(v1, life(client(v1))),
      'SDK v2': pair,
      bare: twice(limit),
    }),
  );
  for (const connections of [1, 100, 1_000]) {
    rows.push(await atConnections(plain(ours), limit, connections));
  }
  return rows;
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

type Named = Readonly<Record<string, Runner>> & { readonly ours: Runner };

async function row(name: string, runners: Named): Promise<Row> {
  const samples = new Map<string, Measured[]>();
  for (const [each, run] of Object.entries(runners)) {
    await saturated(run, WARM_UP / run.requests, CONNECTIONS);
    samples.set(each, []);
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [each, run] of Object.entries(runners)) {
      samples.get(each)?.push(await saturated(run, UNITS, CONNECTIONS));
    }
  }
  const median = (each: string, of: keyof Measured): number =>
    percentile(
      (samples.get(each) ?? []).map((sample) => sample[of]),
      0.5,
    );
  const ours = median('ours', 'perCore');
  const delays = await atRate(runners.ours, median('ours', 'perSecond') / 2);
  const memory = await Promise.all(
    Object.entries(runners).map(async ([each, { server }]) => {
      const { rss } = await server.usage();
      return `${each} ${(rss / 2 ** 20).toFixed(0)}`;
    }),
  );
  const goals: Readonly<Record<string, number>> = { 'SDK v1': 1.5, 'SDK v2': 3, bare: 0.4 };
  const ratios = Object.keys(runners)
    .filter((each) => each !== 'ours')
    .map((each) => ({ each, ratio: ours / median(each, 'perCore'), goal: goals[each] }));
  return {
    row: name,
    goal: ratios
      .filter(({ goal }) => goal !== undefined)
      .map(({ each, goal }) => `≥ ${goal}× ${each}`)
      .join(', '),
    ours: `${ours.toFixed(0)}/s and core; at half load p50 ${ms(percentile(delays, 0.5))}, p99 ${ms(percentile(delays, 0.99))}; MiB: ${memory.join(', ')}`,
    peer: ratios
      .map(
        ({ each, ratio }) =>
          `${each} ${median(each, 'perCore').toFixed(0)}/s: ${ratio.toFixed(2)}×`,
      )
      .join('; '),
    met: ratios.every(({ ratio, goal }) => goal === undefined || ratio >= goal),
  };
}

async function atConnections(ours: Runner, bare: Runner, connections: number): Promise<Row> {
  const [mine, limit] = [
    await saturated(ours, UNITS, connections),
    await saturated(bare, UNITS, connections),
  ];
  return {
    row: `plain call, 2025-11-25, ${connections.toLocaleString('en')} connections`,
    goal: '–',
    ours: `${mine.perCore.toFixed(0)}/s and core`,
    peer: `bare ${limit.perCore.toFixed(0)}/s: ${(mine.perCore / limit.perCore).toFixed(2)}×`,
    met: null,
  };
}

/** As fast as the connections allow, each with one unit of work at a time. */
async function saturated(
  { server, flow }: Runner,
  units: number,
  connections: number,
): Promise<Measured> {
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

/** Milliseconds of each unit of work, from when it is due, at a fixed rate. */
async function atRate({ server, flow }: Runner, perSecond: number): Promise<readonly number[]> {
  const free = await Promise.all(Array.from({ length: 64 }, () => openWire(server.url)));
  const all = [...free];
  const delays: number[] = [];
  const waiting = new Set<Promise<void>>();
  const begun = performance.now();
  for (let unit = 0; unit < UNITS;) {
    const due = begun + (unit / perSecond) * 1_000;
    const wire = performance.now() >= due ? free.pop() : undefined;
    if (wire === undefined) {
      await new Promise((resolve) => setImmediate(resolve));
      continue;
    }
    unit += 1;
    const work = flow(wire.ask).then(() => {
      delays.push(performance.now() - due);
      free.push(wire);
      waiting.delete(work);
    });
    waiting.add(work);
  }
  await Promise.all(waiting);
  for (const { close } of all) close();
  return delays;
}
