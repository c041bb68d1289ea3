import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { createInProcessExecutor } from '../../runtime/executors/in-process/index.js';
import { openSqliteStore } from '../../runtime/stores/index.js';
import {
  createTaskEngine,
  isTerminal,
  outcomeOf,
  type Outcome,
  type TaskStatus,
} from '../../runtime/tasks/index.js';
import { temporaryFolder } from '../support/stores.js';

/** What a killed process had promised on its standard output. */
interface Promised {
  readonly kind: 'ready' | 'created' | 'ended';
  readonly id: string;
  readonly owner: string;
  readonly status: TaskStatus;
  readonly outcome?: Outcome;
}

export interface CrashResult {
  readonly rounds: number;
  readonly created: number;
  readonly ended: number;
  /** Tasks that a kill caught in mid-run. */
  readonly caught: number;
}

const CHILD = fileURLToPath(new URL('./crash-child.ts', import.meta.url));
const LONGEST_LIFE_MS = 150;

/**
 * Kills a server with SIGKILL at random moments, on one SQLite file, and then asks that file for
 * everything that the server had promised. Throws at the first promise that is broken.
 */
export async function crashRounds(
  rounds: number,
  onRound: (round: number) => void = () => undefined,
): Promise<CrashResult> {
  const folder = temporaryFolder();
  const file = join(folder.path, 'tasks.db');
  const total = { rounds, created: 0, ended: 0, caught: 0 };
  try {
    for (let round = 0; round < rounds; round += 1) {
      const promised = await liveAndDie(file, round);
      total.created += promised.filter(({ kind }) => kind === 'created').length;
      total.ended += promised.filter(({ kind }) => kind === 'ended').length;
      total.caught += await checkPromises(file, promised);
      onRound(round + 1);
    }
    return total;
  } finally {
    folder.remove();
  }
}

/** Starts a server, kills it after a random while, and returns what it had said by then. */
async function liveAndDie(file: string, round: number): Promise<Promised[]> {
  const child = spawn(process.execPath, ['--import', 'tsx', CHILD, file, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  let killing = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (killing || !output.includes('\n')) return;
    killing = true;
    setTimeout(() => child.kill('SIGKILL'), Math.random() * LONGEST_LIFE_MS);
  });
  const signal = await new Promise<NodeJS.Signals | null>((resolve) => {
    child.on('close', (_code, by) => resolve(by));
  });
  assert.equal(signal, 'SIGKILL', 'the server ended before it was killed');
  // What was cut off in the middle of a line was not said.
  const lines = output.slice(0, output.lastIndexOf('\n')).split('\n');
  return lines.map((line) => JSON.parse(line) as Promised).filter(({ kind }) => kind !== 'ready');
}

/** Returns how many tasks were found in mid-run; every one of them must come to its end now. */
async function checkPromises(file: string, promised: readonly Promised[]): Promise<number> {
  const store = openSqliteStore({ file });
  let caught = 0;
  for (const { kind, id, owner, status, outcome } of promised) {
    const found = await store.get({ owner, dialect: 'core', id });
    assert.ok(found, `${id} was acknowledged as ${kind} and is lost`);
    if (kind === 'created') {
      if (!isTerminal(found.status)) caught += 1;
      continue;
    }
    assert.equal(found.status, status, `${id} ended twice`);
    assert.deepEqual(outcomeOf(found), outcome, `${id} ended twice`);
  }

  const engine = await createTaskEngine({
    store,
    executor: createInProcessExecutor(),
    handlers: ({ tool }) => ({ rerunnable: tool === 'again', run: ({ args }) => ({ args }) }),
    limits: { readBurst: 1e6 },
  });
  const tasks = promised.filter(({ kind }) => kind === 'created');
  for (const { owner, id } of tasks) {
    const ended = await engine.wait({ owner, dialect: 'core' }, id);
    assert.ok(isTerminal(ended.status));
  }
  assert.deepEqual(await store.orphans(Number.MAX_SAFE_INTEGER, 1), [], 'a task is alive for ever');
  await engine.close();
  await store.close();
  return caught;
}
