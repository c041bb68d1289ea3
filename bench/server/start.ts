import { fork, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Bench, Row } from '../bench.js';
import { measured, OURS } from '../measured.js';
import { type Flow, plainCall } from './flows.js';
import type { Kind } from './kinds.js';
import type { Listening, Memory } from './listening.js';
import { programs } from './programs.js';
import { modernClient, sessionClient } from './requests.js';
import { newServer } from './scaffold.js';
import { openWire } from './wire.js';
import { now } from './work.js';

const ROUNDS = 7;
/** The rounds that end with requests. */
const LOADED = 3;
const REQUESTS = 10_000;
const CONNECTIONS = 16;
const QUIET: StdioOptions = ['ignore', 'ignore', 'ignore', 'ipc'];

/** The time from `node` until a server listens, and its memory after many requests. */
export const start: Bench = {
  name: 'server/start',
  run: async () => rowsOf(await contenders()),
};

interface Contender {
  readonly name: string;
  readonly begin: () => ChildProcess;
  readonly flow: (url: string) => Promise<Flow>;
}

async function contenders(): Promise<readonly Contender[]> {
  const { server, listening } = await programs();
  const own = newServer();
  const preload = ['--require', listening];
  const child = (name: string, kind: Kind): Contender => ({
    name,
    begin: () => fork(server, [kind], { execArgv: preload, stdio: QUIET }),
    flow: async (url) => plainCall(await sessionClient(url)),
  });
  return [
    {
      name: OURS,
      begin: () =>
        fork(own.script, own.args, {
          cwd: own.folder,
          execArgv: [...preload, ...own.execArgv],
          stdio: QUIET,
          env: { ...process.env, PORT: '0', DATABASE: newDatabase() },
        }),
      flow: async (url) => wordCount(await sessionClient(url)),
    },
    child('SDK v1', 'peer'),
    child('SDK v2', 'sdk'),
    child('tmcp', 'tmcp'),
    child('fastmcp (npm)', 'fastmcp'),
    {
      ...child('bare Node', 'bare'),
      flow: (url) => Promise.resolve(plainCall(modernClient(url))),
    },
  ];
}

let folder: string | undefined;
let databases = 0;

function newDatabase(): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'mcp-codegen-bench-'));
    process.on('exit', () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  return join(folder, `tasks-${String((databases += 1))}.db`);
}

/** A plain call of a tool that a new server has. */
function wordCount(client: (method: string, params: object) => string): Flow {
  const params = { name: 'count-words', arguments: { text: 'one two three' } };
  return async (ask) => {
    const answer = await ask(client('tools/call', params));
    if (!answer.includes('"words":3')) throw new Error(`No result: ${answer}`);
  };
}

interface Cost {
  /** Milliseconds. */
  readonly wall: number[];
  readonly cpu: number[];
  /** MiB. */
  readonly rss: number[];
}

async function rowsOf(all: readonly Contender[]): Promise<Row[]> {
  const costs = new Map(all.map(({ name }): [string, Cost] => [name, NONE()]));
  // The first round only fills the disk cache.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const each of all) {
      const into = round === 0 ? NONE() : (costs.get(each.name) ?? NONE());
      await run(each, round > ROUNDS - LOADED, into);
    }
  }
  const bars = (of: keyof Cost): Record<string, readonly number[]> =>
    Object.fromEntries([...costs].map(([name, cost]) => [name, cost[of]]));
  const from = 'a new server over HTTP, from `node` to listening';
  return [
    measured({ row: from, unit: 'ms', better: 'less', bars: bars('wall'), most: 300 }),
    measured({
      row: `${from}, CPU`,
      unit: 'ms',
      better: 'less',
      bars: bars('cpu'),
      times: { 'SDK v2': 0.8 },
    }),
    measured({
      row: `memory of a new server (RSS) after ${REQUESTS.toLocaleString('en')} requests`,
      unit: 'MiB',
      better: 'less',
      bars: bars('rss'),
      most: 80,
    }),
  ];
}

const NONE = (): Cost => ({ wall: [], cpu: [], rss: [] });

async function run({ begin, flow }: Contender, loaded: boolean, into: Cost): Promise<void> {
  const begun = now();
  const child = begin();
  try {
    const { at, cpu, port } = await message<Listening>(child);
    into.wall.push(at - begun);
    into.cpu.push(cpu);
    if (!loaded) return;
    const url = `http://127.0.0.1:${String(port)}/mcp`;
    await load(url, await flow(url));
    child.send('memory');
    into.rss.push((await message<Memory>(child)).rss / 2 ** 20);
  } finally {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
}

/** The next message with what is wanted; servers send others too. */
async function message<T extends object>(child: ChildProcess): Promise<T> {
  for (;;) {
    const [received] = (await once(child, 'message')) as [object];
    if ('at' in received || 'rss' in received) return received as T;
  }
}

async function load(url: string, flow: Flow): Promise<void> {
  let left = REQUESTS;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const { ask, close } = await openWire(url);
      while ((left -= 1) >= 0) await flow(ask);
      close();
    }),
  );
}
