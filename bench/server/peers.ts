import { percentile, type Bench, type Row } from '../bench.js';
import { measured, OURS } from '../measured.js';
import { type Server, withServers } from './client.js';
import { type Flow, getTask, life, plainCall } from './flows.js';
import { openLoop } from './open-loop.js';
import { flowing, inTurns, perCore } from './rates.js';
import { type Client, modernClient, sessionClient } from './requests.js';
import { TMCP_SESSION } from './kinds.js';

/** All servers in turns: requests per second and core, delays at half that load, and many connections. */
export const peers: Bench = {
  name: 'server/peers',
  run: () =>
    withServers(
      ['ours', 'peer', 'sdk', 'sdk-modern', 'tmcp', 'fastmcp', 'bare'],
      async (...servers) => measureAll(servers as unknown as Servers),
    ),
};

type Servers = readonly [Server, Server, Server, Server, Server, Server, Server];

const ROUNDS = 5;
const UNITS = 1_500;
const WARM_UP = 3_000;
const CONNECTIONS = 16;

const HALF_ROUNDS = 3;
const HALF_MS = 600;
const HALF_CONNECTIONS = 64;

const CROWD_ROUNDS = 3;

/** A runner whose requests can also be sent at a fixed rate. */
type Flowing = ReturnType<typeof flowing>;

async function measureAll([ours, v1, v2, v2Modern, tmcp, fast, bare]: Servers): Promise<Row[]> {
  const session = new Map<Server, Client>();
  for (const server of [ours, v1, v2, tmcp, fast])
    session.set(server, await sessionClient(server.url));
  const client = (server: Server): Client => session.get(server) as Client;
  const modern = modernClient(ours.url);
  const plain = (server: Server): Flowing => flowing(server, plainCall(client(server)));
  const limit = flowing(bare, plainCall(modernClient(bare.url)));
  const sdk = plain(v2);
  const sdkModern = flowing(v2Modern, plainCall(modernClient(v2Modern.url)));
  const calls = {
    [OURS]: plain(ours),
    'SDK v1': plain(v1),
    'SDK v2': sdk,
    [TMCP_SESSION]: plain(tmcp),
    'fastmcp (npm)': plain(fast),
    'bare Node': limit,
  };
  return [
    ...(await rowsOf('plain call, 2025-11-25', calls, CALL_GOALS)),
    ...(await rowsOf(
      'plain call, 2026-07-28',
      {
        [OURS]: flowing(ours, plainCall(modern)),
        'SDK v2': sdkModern,
        tmcp: flowing(tmcp, plainCall(modernClient(tmcp.url))),
        'bare Node': limit,
      },
      CALL_GOALS,
    )),
    ...(await rowsOf('tasks/get, 2025-11-25 (SQLite; SDK v2, bare: a plain call)', {
      [OURS]: flowing(ours, await getTask(ours.url, client(ours))),
      'SDK v1': flowing(v1, await getTask(v1.url, client(v1))),
      'SDK v2': sdk,
      'bare Node': limit,
    })),
    ...(await rowsOf('tasks/get, 2026-07-28 (SQLite; SDK v2, bare: a plain call)', {
      [OURS]: flowing(ours, await getTask(ours.url, modern)),
      'SDK v2': sdkModern,
      'bare Node': limit,
    })),
    ...(await rowsOf(
      'life cycle, 2025-11-25 (SQLite; SDK v2, bare: two plain calls)',
      {
        [OURS]: flowing(ours, life(client(ours))),
        'SDK v1': flowing(v1, life(client(v1))),
        'SDK v2': twice(sdk),
        'bare Node': twice(limit),
      },
      LIFE_GOALS,
    )),
    ...(await crowds(calls)),
  ];
}

function twice({ server, flow }: Flowing): Flowing {
  const both: Flow = async (ask) => {
    await flow(ask);
    await flow(ask);
  };
  return { ...flowing(server, both), requests: 2 };
}

type Goals = Readonly<Record<string, number>>;

/** How many times a peer's rate ours has to be. */
const GOALS: Goals = {
  'SDK v1': 1.5,
  'SDK v2': 3,
  tmcp: 2,
  [TMCP_SESSION]: 2,
  'bare Node': 0.4,
};
const CALL_GOALS: Goals = { ...GOALS, 'bare Node': 0.5 };
const LIFE_GOALS: Goals = { ...GOALS, 'SDK v1': 3 };

const TURNS = { rounds: ROUNDS, connections: CONNECTIONS, units: UNITS, warmUp: WARM_UP };

async function rowsOf(
  name: string,
  runners: Readonly<Record<string, Flowing>>,
  times = GOALS,
): Promise<Row[]> {
  const rates = await inTurns(runners, TURNS);
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
      times,
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
async function crowds(runners: Readonly<Record<string, Flowing>>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const connections of [1, 100, 1_000]) {
    const rates = await inTurns(runners, {
      ...TURNS,
      rounds: CROWD_ROUNDS,
      connections,
      warmUp: 0,
    });
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
