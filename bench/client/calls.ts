import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { build } from 'esbuild';

import { createTaskClient } from '../../runtime/client/index.js';
import { httpFetch } from '../../runtime/client/node/index.js';
import type { Bench, Row } from '../bench.js';
import { measured, OURS } from '../measured.js';
import { ADD, type First } from './first.js';

const CALLS = 1_000;
/** Calls under way at a time. */
const AT_A_TIME = 16;
const ROUNDS = 9;
const SDK = 'SDK v2';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const program = (name: string): string => path(`../../.cache/bench/client/${name}.mjs`);

/** Programs in JavaScript, because tsx would add to their start. */
async function compile(): Promise<void> {
  const names = ['adder', 'first-ours', 'first-sdk'];
  await build({
    entryPoints: names.map((name) => path(`${name}.ts`)),
    outdir: path('../../.cache/bench/client'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    // The built package, and not its sources.
    tsconfigRaw: {},
    platform: 'node',
    target: 'node20',
    format: 'esm',
  });
}

/** The time from `node` until a client has its first result, with the start of the server's process. */
export const firstCall: Bench = {
  name: 'client/first-call',
  async run() {
    await compile();
    const programs = { [OURS]: 'first-ours', [SDK]: 'first-sdk' };
    const wall: Record<string, number[]> = { [OURS]: [], [SDK]: [] };
    const cpu: Record<string, number[]> = { [OURS]: [], [SDK]: [] };
    // The first round only fills the disk cache.
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [name, file] of Object.entries(programs)) {
        const first = await ran(program(file));
        if (round === 0) continue;
        wall[name]?.push(first.wall);
        cpu[name]?.push(first.cpu);
      }
    }
    const row = 'from `node` to the first result over stdio, with the start of the server';
    const shared = { unit: 'ms', better: 'less', times: { [SDK]: 1 } } as const;
    return [
      measured({ row, bars: wall, ...shared }),
      measured({ row: `${row}, CPU of the client`, bars: cpu, ...shared }),
    ];
  },
};

async function ran(file: string): Promise<{ wall: number; cpu: number }> {
  const begun = performance.timeOrigin + performance.now();
  const child = fork(file, [program('adder')], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ at, cpu }] = (await once(child, 'message')) as [First];
  await once(child, 'exit');
  return { wall: at - begun, cpu };
}

/** Plain calls of a server in a process of its own. */
export const calls: Bench = {
  name: 'client/calls',
  async run() {
    await compile();
    const server = fork(program('adder'), [], { execArgv: [] });
    const [url] = (await once(server, 'message')) as [string];
    const rows: Row[] = [];
    for (const revision of ['2025-11-25', '2026-07-28'] as const) {
      const contenders = [
        { name: OURS, ...(await ourClient(url, revision)) },
        { name: SDK, ...(await theirClient(url, revision)) },
      ];
      const bars: Record<string, number[]> = { [OURS]: [], [SDK]: [] };
      for (let round = 0; round <= ROUNDS; round += 1) {
        for (const { name, call } of contenders) {
          const rate = await rateOf(call);
          // The first round loads modules and opens connections.
          if (round > 0) bars[name]?.push(rate);
        }
      }
      for (const { close } of contenders) await close();
      rows.push(
        measured({
          row: `${CALLS.toLocaleString('en')} plain calls over HTTP, ${AT_A_TIME} at a time (${revision})`,
          unit: 'calls/s',
          better: 'more',
          bars,
          times: { [SDK]: 1.5 },
          note: 'with `httpFetch()`',
        }),
      );
    }
    server.disconnect();
    return rows;
  },
};

interface Contender {
  readonly call: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

async function ourClient(url: string, revision: '2025-11-25' | '2026-07-28'): Promise<Contender> {
  const client = createTaskClient({ name: 'bench', version: '1', revisions: [revision] });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: httpFetch() }));
  return {
    call: () => client.call(ADD.name, ADD.arguments),
    close: () => client.close(),
  };
}

async function theirClient(url: string, revision: string): Promise<Contender> {
  const mode = revision === '2025-11-25' ? 'legacy' : { pin: revision };
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return { call: () => client.callTool(ADD), close: () => client.close() };
}

/** Calls a second. */
async function rateOf(call: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  let left = CALLS;
  const work = async (): Promise<void> => {
    while ((left -= 1) >= 0) await call();
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return CALLS / ((performance.now() - begun) / 1_000);
}
