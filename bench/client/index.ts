import { PassThrough } from 'node:stream';
import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

import type { Dialect } from '../../runtime/tasks/index.js';
import { createTaskClient, type TaskClient } from '../../runtime/client/index.js';
import { createTaskServer, defineTool, serveHttp, serveStdio } from '../../runtime/server/index.js';
import { ms, timed, type Bench, type Row } from '../bench.js';
import { measured, OURS } from '../measured.js';
import { PEER_POLL, startPeer } from '../tasks/peer.js';
import { calls, firstCall } from './calls.js';

const WORK_MS = 50;
const ROUNDS = 100;
const CROWD = 1_000;

const sleep = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, WORK_MS));

const job = defineTool({
  name: 'job',
  description: `Takes ${WORK_MS} ms.`,
  input: z.object({}),
  taskSupport: 'required',
  async run() {
    await sleep();
    return 'done';
  },
});

type Kind = 'stdio' | 'http';

const WAYS: readonly (readonly [Dialect, Kind])[] = [
  ['core', 'stdio'],
  ['core', 'http'],
  ['ext', 'stdio'],
  ['ext', 'http'],
];

/** A client on a server of its own: over a socket, or over the messages of stdio without the pipe. */
async function withClient<T>(
  dialect: Dialect,
  kind: Kind,
  use: (tasks: TaskClient) => Promise<T>,
): Promise<T> {
  const server = await createTaskServer({
    name: 'bench',
    version: '1',
    tools: [job],
    limits: { createsPerSecond: 1e6, readsPerSecond: 1e6, createBurst: 1e6, readBurst: 1e6 },
    onError: () => undefined,
  });
  const { transport, close } = kind === 'http' ? await http() : stdio();
  const tasks = createTaskClient({
    name: 'bench',
    version: '1',
    revisions: [dialect === 'core' ? '2025-11-25' : '2026-07-28'],
    onError: () => undefined,
  });
  await tasks.connect(transport);
  try {
    return await use(tasks);
  } finally {
    await tasks.close();
    await close();
    await server.close(0);
  }

  async function http(): Promise<{ transport: Transport; close: () => Promise<void> }> {
    const handle = await serveHttp(server, {
      allowUnidentified: true,
      allowUnidentifiedInput: true,
    });
    const transport = new StreamableHTTPClientTransport(new URL(handle.url));
    return { transport, close: () => handle.close() };
  }

  function stdio(): { transport: Transport; close: () => Promise<void> } {
    const [source, target] = [new PassThrough(), new PassThrough()];
    const handle = serveStdio(server, { source, target });
    // The SDK's transport reads and writes lines, whichever end it is.
    return { transport: new StdioServerTransport(target, source), close: () => handle.close() };
  }
}

/** SDK v1 has the core dialect alone. */
const PEER = `SDK v1, core, polls every ${PEER_POLL} ms`;

/** SDK v1 at both ends, over the same kind of transport. */
async function withPeer<T>(
  kind: Kind,
  use: (call: () => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const work = (finish: () => Promise<void>): unknown => setTimeout(() => void finish(), WORK_MS);
  const peer = await startPeer(work, { pollInterval: PEER_POLL, kind });
  return use(() => peer.call()).finally(() => peer.close());
}

async function repeated(rounds: number, work: () => Promise<unknown>): Promise<number[]> {
  const samples: number[] = [];
  // The first call loads modules, so it is not measured.
  await work();
  for (let round = 0; round < rounds; round += 1) samples.push(await timed(work));
  return samples;
}

const name = ([dialect, kind]: readonly [Dialect, Kind]): string => `${dialect}, ${kind}`;

/** Milliseconds from the call to its result, for a job that becomes a task. */
const latency: Bench = {
  name: 'client/latency',
  async run() {
    const rows: Row[] = [];
    for (const way of WAYS) {
      const theirs = await withPeer(way[1], (call) => repeated(ROUNDS, call));
      const samples = await withClient(...way, (tasks) =>
        repeated(ROUNDS, () => tasks.call('job')),
      );
      rows.push(
        measured({
          row: `a ${WORK_MS} ms job, seen by the caller, p50 (${name(way)})`,
          unit: 'ms',
          better: 'less',
          bars: { [OURS]: samples, [PEER]: theirs },
          most: 60,
        }),
      );
    }
    return rows;
  },
};

interface Crowd {
  readonly answered: number;
  readonly whole: number;
}

async function crowd(call: () => Promise<unknown>): Promise<Crowd> {
  let answered = 0;
  const whole = await timed(() =>
    Promise.allSettled(Array.from({ length: CROWD }, () => call().then(() => (answered += 1)))),
  );
  return { answered, whole };
}

/** A thousand calls at once, each a task. */
const concurrency: Bench = {
  name: 'client/concurrency',
  async run() {
    const rows: Row[] = [];
    for (const way of WAYS) {
      const theirs = await withPeer(way[1], crowd);
      const ours = await withClient(...way, (tasks) => crowd(() => tasks.call('job')));
      rows.push({
        row: `${CROWD} calls at once on one connection (${name(way)})`,
        goal: 'all answered',
        ours: shown(ours),
        peer: `${PEER}: ${shown(theirs)}`,
        met: ours.answered === CROWD,
      });
    }
    return rows;
  },
};

function shown({ answered, whole }: Crowd): string {
  return `${answered} in ${ms(whole)}`;
}

/** All rows of the client. */
export const clientBenches: readonly Bench[] = [latency, concurrency, firstCall, calls];
