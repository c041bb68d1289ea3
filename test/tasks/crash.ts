import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';

import { createInProcessExecutor } from '../../runtime/executors/in-process/index.js';
import { openSqliteStore } from '../../runtime/stores/index.js';
import {
  createTaskEngine,
  isTerminal,
  outcomeOf,
  type Outcome,
  type TaskStatus,
} from '../../runtime/tasks/index.js';
import { compiled } from '../support/program.js';
import { temporaryFolder } from '../support/stores.js';
import { mountSmallDisk, type SmallDisk } from './small-disk.js';
import { checkStarts, notedHandlers } from './starts.js';

/** What a killed process had promised on its standard output. */
interface Promised {
  readonly kind: 'ready' | 'created' | 'ended' | 'fault';
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
  /** Handlers started, before and after the kills. */
  readonly starts: number;
  /** Requests that failed because the store did. */
  readonly faults: number;
}

const CHILD = compiled(new URL('./crash-child.ts', import.meta.url));
/** A life ends after a number of promises, because a busy machine keeps few in a given time. */
const MOST_PROMISES = 100;
const LONGEST_LIFE_MS = 150;
/** A server on a full disk lives at least until so many of its requests have failed, or for so long. */
const FAULTS = 2;
const LONGEST_FAULTLESS_MS = 5_000;
const LEASE_MS = 200;
/** So large that only the filler fills it, however many tasks a fast server stores in one life. */
const SMALL_DISK_MB = 16;

const sleep = (longest: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * longest));

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
  try {
    return await playRounds(rounds, onRound, async (round) => {
      const log = join(folder.path, `starts-${round}`);
      const promised = await liveAndDie(file, round, log, async (promises) => {
        await promises(Math.random() * MOST_PROMISES);
        // Promises follow commits: the kill must also come at other moments.
        await sleep(5);
      });
      return { promised, log, caught: await checkPromises(file, promised, log) };
    });
  } finally {
    folder.remove();
  }
}

/**
 * The same on a small disk that fills up and is freed while the server works, and again while the next
 * one takes over. Undefined where no such disk can be mounted.
 */
export async function fullDiskRounds(
  rounds: number,
  onRound: (round: number) => void = () => undefined,
): Promise<CrashResult | undefined> {
  const disk = mountSmallDisk(SMALL_DISK_MB);
  if (disk === undefined) return undefined;
  const logs = temporaryFolder();
  try {
    return await playRounds(rounds, onRound, async (round) => {
      const folder = join(disk.path, String(round));
      mkdirSync(folder);
      const file = join(folder, 'tasks.db');
      const log = join(logs.path, `starts-${round}`);
      let full = false;
      const promised = await liveAndDie(file, round, log, async (promises) => {
        await sleep(LONGEST_LIFE_MS);
        fillNearly(disk);
        full = true;
        await Promise.race([promises(FAULTS, 'fault'), passed(LONGEST_FAULTLESS_MS)]);
        await sleep(LONGEST_LIFE_MS);
        if (round % 2 === 0) return;
        disk.free();
        full = false;
        await sleep(LONGEST_LIFE_MS);
      });
      if (full) disk.free();
      const caught = await checkPromises(file, promised, log, disk);
      rmSync(folder, { recursive: true });
      return { promised, log, caught };
    });
  } finally {
    disk.remove();
    logs.remove();
  }
}

/** Now full to the last byte, now with a little room, so that some writes succeed. */
function fillNearly(disk: SmallDisk): void {
  disk.fill(Math.random() < 0.5 ? 0 : Math.floor(Math.random() * 2 ** 18));
}

async function playRounds(
  rounds: number,
  onRound: (round: number) => void,
  play: (round: number) => Promise<{ promised: Promised[]; log: string; caught: number }>,
): Promise<CrashResult> {
  const total = { rounds, created: 0, ended: 0, caught: 0, starts: 0, faults: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const { promised, log, caught } = await play(round);
    const count = (wanted: Promised['kind']): number =>
      promised.filter(({ kind }) => kind === wanted).length;
    total.created += count('created');
    total.ended += count('ended');
    total.faults += count('fault');
    total.caught += caught;
    total.starts += checkStarts(log);
    onRound(round + 1);
  }
  return total;
}

/** Starts a server, kills it after its `life`, which may wait for `promises`, and returns what it had said by then. */
async function liveAndDie(
  file: string,
  round: number,
  log: string,
  life: (promises: (count: number, kind?: Promised['kind']) => Promise<void>) => Promise<void>,
): Promise<Promised[]> {
  const child = spawn(process.execPath, [CHILD, file, String(round), log], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  let living: Promise<void> | undefined;
  const promises = async (count: number, kind = ''): Promise<void> => {
    while (output.split(`"kind":"${kind}`).length <= count) await once(child.stdout, 'data');
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.includes('\n')) living ??= life(promises).then(() => void child.kill('SIGKILL'));
  });
  const signal = await new Promise<NodeJS.Signals | null>((resolve) => {
    child.on('close', (_code, by) => resolve(by));
  });
  assert.equal(signal, 'SIGKILL', 'the server ended before it was killed');
  await living;
  // What was cut off in the middle of a line was not said.
  const lines = output.slice(0, output.lastIndexOf('\n')).split('\n');
  return lines.map((line) => JSON.parse(line) as Promised).filter(({ kind }) => kind !== 'ready');
}

/**
 * Returns how many tasks were found in mid-run; every one of them must come to its end now. On a small
 * disk, they are taken over while that is full, and it is freed a little later.
 */
async function checkPromises(
  file: string,
  promised: readonly Promised[],
  log: string,
  disk?: SmallDisk,
): Promise<number> {
  const store = openSqliteStore({ file });
  // The engine's own timers do not keep a process alive.
  const alive = setInterval(() => undefined, 1_000);
  let caught = 0;
  for (const { kind, id, owner, status, outcome } of promised) {
    if (kind === 'fault') continue;
    const found = await store.get({ owner, dialect: 'core', id });
    assert.ok(found, `${id} was acknowledged as ${kind} and is lost`);
    if (kind === 'created') {
      if (!isTerminal(found.status)) caught += 1;
      continue;
    }
    assert.equal(found.status, status, `${id} ended twice`);
    assert.deepEqual(outcomeOf(found), outcome, `${id} ended twice`);
  }

  if (disk) fillNearly(disk);
  const engine = await createTaskEngine({
    store,
    executor: createInProcessExecutor({ leaseMs: LEASE_MS }),
    // On a small disk they last for several beats, each of which could start them once more.
    handlers: notedHandlers(log, async ({ args }) => {
      if (disk) await sleep(LEASE_MS);
      return { args };
    }),
    limits: { readBurst: 1e6, readsPerSecond: 1e6 },
  });
  if (disk) {
    await sleep(2 * LEASE_MS);
    disk.free();
  }
  const tasks = promised.filter(({ kind }) => kind === 'created');
  for (const { owner, id } of tasks) {
    const ended = await engine.wait({ owner, dialect: 'core' }, id);
    assert.ok(isTerminal(ended.status));
    const mayFail = ended.tool === 'once' || ended.tool === 'steps';
    assert.ok(mayFail || ended.status !== 'failed', `${ended.tool} ${id} is ${ended.outcome}`);
  }
  // Tasks whose creation failed although they were stored are found and run as well.
  for (let left = 1; left > 0; await sleep(LEASE_MS)) {
    left = (await store.orphans(Number.MAX_SAFE_INTEGER, 1)).length;
  }
  await engine.close();
  await store.close();
  clearInterval(alive);
  return caught;
}
