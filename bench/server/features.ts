import type { Bench, Row } from '../bench.js';
import { measured, OURS } from '../measured.js';
import { type Server, withServers } from './client.js';
import { plainCall } from './flows.js';
import { type Kind, TMCP_SESSION } from './kinds.js';
import { flowing, inTurns, perCore, type Runner, type Runners } from './rates.js';
import { type Client, modernClient, openSession, type Session, clientIn } from './requests.js';
import {
  following,
  initializing,
  listeningTo,
  progressing,
  prompting,
  questioning,
  questioningTwice,
  reading,
} from './workers.js';

/** Each feature of a server beside its peers: units of work per second and core. */
export const features: Bench = {
  name: 'server/features',
  run: () =>
    withServers(KINDS, async (...all) => {
      const servers = Object.fromEntries(
        KINDS.map((kind, index) => [kind, all[index]]),
      ) as unknown as Servers;
      return [
        ...(await sessionRows(servers)),
        ...(await modernRows(servers)),
        await webRow(servers),
      ];
    }),
};

const KINDS = [
  'ours',
  'ours-web',
  'sdk',
  'sdk-streams',
  'sdk-modern',
  'tmcp',
  'bare',
  'bare-web',
] as const;
type Servers = Readonly<Record<(typeof KINDS)[number], Server>>;

const TURNS = { rounds: 5, connections: 16, warmUp: 3_000 };
const UNITS = 1_000;

/** How many times a peer's rate ours has to be. */
const GOALS = { 'SDK v2': 5, tmcp: 2, [TMCP_SESSION]: 2 };

/** The servers of a row, by contender. */
const CONTENDERS = {
  [OURS]: 'ours',
  'SDK v2': 'sdk',
  [TMCP_SESSION]: 'tmcp',
  'bare Node': 'bare',
} as const;
/** What a call sends before its result needs a stream. */
const STREAMS = { ...CONTENDERS, 'SDK v2': 'sdk-streams' } as const;
const MODERN = {
  [OURS]: 'ours',
  'SDK v2': 'sdk-modern',
  tmcp: 'tmcp',
  'bare Node': 'bare',
} as const;

async function sessionRows(servers: Servers): Promise<Row[]> {
  const sessions = new Map<Kind, Session>();
  for (const kind of [...Object.values(CONTENDERS), STREAMS['SDK v2']])
    sessions.set(kind, await openSession(servers[kind].url));
  const session = (kind: Kind): Session => sessions.get(kind) as Session;
  const client = (kind: Kind): Client => clientIn(session(kind));
  const row = (
    name: string,
    make: (server: Server, kind: Kind) => Runner,
    contenders: Readonly<Record<string, keyof Servers>> = CONTENDERS,
  ): Promise<Row> => rowOf(`${name}, 2025-11-25`, servers, contenders, make);
  return [
    await row('initialize', initializing),
    await row('resources/read', (server, kind) => reading(server, client(kind))),
    await row('prompts/get', (server, kind) => prompting(server, client(kind))),
    await row(PROGRESS, (server, kind) => progressing(server, client(kind)), STREAMS),
    await row(
      'a question and its answer',
      (server, kind) => questioning(server, session(kind)),
      STREAMS,
    ),
    await row(SUBSCRIPTION, following, STREAMS),
  ];
}

async function modernRows(servers: Servers): Promise<Row[]> {
  const row = (name: string, make: (server: Server, client: Client) => Runner): Promise<Row> =>
    rowOf(`${name}, 2026-07-28`, servers, MODERN, (server) =>
      make(server, modernClient(server.url)),
    );
  return [
    await row('resources/read', reading),
    await row('prompts/get', prompting),
    await row(PROGRESS, progressing),
    await row('a question and its answer', questioningTwice),
    await row(SUBSCRIPTION, listeningTo),
  ];
}

const PROGRESS = 'a call with ten progress notifications';
const SUBSCRIPTION = 'a subscription with ten notifications';

async function rowOf(
  row: string,
  servers: Servers,
  contenders: Readonly<Record<string, keyof Servers>>,
  make: (server: Server, kind: Kind) => Runner,
): Promise<Row> {
  const runners: Record<string, Runner> = {};
  const unable: string[] = [];
  for (const [name, kind] of Object.entries(contenders)) {
    const runner = make(servers[kind], kind);
    const why = await trial(runner);
    if (why === undefined) runners[name] = runner;
    else unable.push(`${name}: ${why}`);
  }
  return rateRow(row, runners, GOALS, unable);
}

const LONGEST_REASON = 200;

/** Why a server cannot do the work. */
async function trial({ open }: Runner): Promise<string | undefined> {
  try {
    const { work, close } = await open(0);
    await work();
    await close();
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return why.replaceAll(/\s+/g, ' ').slice(0, LONGEST_REASON);
  }
}

/** The adapter for `Request` and `Response` beside the one for Node, both on Node's HTTP server. */
function webRow(servers: Servers): Promise<Row> {
  const plain = (kind: keyof Servers): Runner =>
    flowing(servers[kind], plainCall(modernClient(servers[kind].url)));
  return rateRow(
    'plain call, 2026-07-28, web-standard adapter behind @hono/node-server',
    { [OURS]: plain('ours-web'), 'Node adapter': plain('ours'), 'bare fetch': plain('bare-web') },
    { 'Node adapter': 0.7 },
    [],
  );
}

async function rateRow(
  row: string,
  runners: Runners,
  times: Readonly<Record<string, number>>,
  unable: readonly string[],
): Promise<Row> {
  const rates = perCore(await inTurns(runners, { ...TURNS, units: UNITS }));
  const made = measured({
    row,
    unit: 'per second and core',
    better: 'more',
    bars: rates,
    times,
  });
  return unable.length === 0 ? made : { ...made, peer: [made.peer, ...unable].join('; ') };
}
