import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';

import type { Bench, Row } from '../bench.js';
import { sleep } from '../tasks/sqlite-engine.js';
import type { Covered } from './covering.js';
import { expectIn, type Flow, life, plainCall, taskIn } from './flows.js';
import { modules, programs } from './programs.js';
import { type Client, modernClient, sessionClient } from './requests.js';
import { openWire } from './wire.js';

const WARM_UP = 50;
/** Samples after which no further file has to be left out. */
const SAMPLES = 5;
/** Milliseconds after which work that an answer left behind has ended. */
const QUIET = 100;
const CALL_FILES = 25;
const TASK_FILES = 50;

/** How many files of ours run for one request, by V8's coverage of a server that is warm. */
export const files: Bench = {
  name: 'server/files',
  async run() {
    const { server, covering } = await programs();
    const root = pathToFileURL(`${await modules()}/`).href;
    const child = fork(server, ['ours'], {
      execArgv: ['--require', covering],
      env: { ...process.env, BENCH_RUNTIME: `${root}runtime/` },
    });
    try {
      const { url } = await message<{ readonly url: string }>(child, 'url');
      const [session, modern] = [await sessionClient(url), modernClient(url)];
      const row = (name: string, most: number, flow: Flow): Promise<Row> =>
        rowOf(child, { url, root, name, most, flow });
      return [
        await row('a plain call, 2025-11-25', CALL_FILES, plainCall(session)),
        await row('a plain call, 2026-07-28', CALL_FILES, plainCall(modern)),
        await row('a task and its result, 2025-11-25', TASK_FILES, life(session)),
        await row('a task and its result, 2026-07-28', TASK_FILES, polled(modern)),
      ];
    } finally {
      child.disconnect();
    }
  },
};

/** Creates a task, and gets it when it has its result. */
function polled(client: Client): Flow {
  return async (ask) => {
    const taskId = taskIn(await ask(client('tools/call', { name: 'quick', arguments: {} })));
    for (;;) {
      const answer = await ask(client('tasks/get', { taskId }));
      if (answer.includes('"status":"completed"')) return;
      expectIn(answer, '"status":"working"');
    }
  };
}

interface Measured {
  readonly url: string;
  /** The URL of the folder that the files of ours are in. */
  readonly root: string;
  readonly name: string;
  readonly most: number;
  readonly flow: Flow;
}

async function rowOf(child: ChildProcess, { url, root, name, most, flow }: Measured): Promise<Row> {
  const { ask, close } = await openWire(url);
  for (let left = WARM_UP; left > 0; left -= 1) await flow(ask);
  const samples: Ran[] = [];
  const ranIn = (some: readonly Ran[]): [file: string, functions: number][] =>
    inEach(some).filter(([file]) => file.startsWith(root));
  // Until the last samples left out no further file: timers of the server run in some samples.
  while (
    samples.length < SAMPLES ||
    ranIn(samples).length < ranIn(samples.slice(0, 1 - SAMPLES)).length
  ) {
    await sleep(QUIET);
    await coveredIn(child);
    await flow(ask);
    await sleep(QUIET);
    samples.push(await coveredIn(child));
  }
  close();
  const ran = ranIn(samples);
  const functions = ran.reduce((sum, [, count]) => sum + count, 0);
  return {
    row: `files of ours that run for ${name}`,
    goal: `≤ ${String(most)}`,
    ours: `${String(ran.length)} (${String(functions)} functions)`,
    peer: '–',
    met: ran.length <= most,
    details: ran.map(([file, count]) => `${file.slice(root.length)} (${String(count)})`),
  };
}

/** What ran in each sample, with its fewest functions. */
function inEach([first = {}, ...others]: readonly Ran[]): [file: string, functions: number][] {
  return Object.entries(first)
    .filter(([file]) => others.every((each) => file in each))
    .map(([file, count]): [string, number] => [
      file,
      Math.min(count, ...others.map((each) => each[file] ?? 0)),
    ])
    .sort(([a], [b]) => a.localeCompare(b));
}

type Ran = Covered['covered'];

async function coveredIn(child: ChildProcess): Promise<Ran> {
  child.send('covered');
  return (await message<Covered>(child, 'covered')).covered;
}

/** The next message with a member; servers send others too. */
async function message<T extends object>(child: ChildProcess, member: keyof T): Promise<T> {
  for (;;) {
    const [received] = (await once(child, 'message')) as [object];
    if (member in received) return received as T;
  }
}
