import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TaskStore } from '../../tasks/index.js';
import type { Script } from './script.js';
import type {
  DurableStore,
  Mend,
  NotTried,
  StoreUnderTest,
  StoreProcess,
} from './store-under-test.js';
import { READY } from './store-process.js';

/** What a check does to a store on a place of its own. Everything is closed and removed at its end. */
export interface Trial {
  readonly open: () => Promise<TaskStore>;
  readonly leases: DurableStore<unknown>['leases'];
  /** The place as a crash leaves it. Called in the turn of an acknowledgement. */
  readonly crash: () => Promise<Trial>;
  /** Opens the place in another process, which plays the script and is killed. See {@link play}. */
  readonly play: (script: Script, onReady?: () => void) => Promise<Ending>;
  readonly failWrites: () => Promise<Mend>;
  readonly files: () => readonly string[];
  readonly loseNotifications: () => Promise<void>;
  /** Waits for what a store reports. */
  readonly eventually: (what: string, condition: () => boolean) => Promise<void>;
}

/** What a check needs of the store under test; `alone` means that only one process may use the store. */
export type Need =
  'administration' | 'durable' | 'crash' | 'process' | 'failWrites' | 'files' | 'shared' | 'alone';

export interface Check {
  readonly name: string;
  readonly needs: readonly Need[];
  readonly run: (trial: Trial) => Promise<void>;
}

/** A check of one store on an empty place. */
export function checkOf(
  name: string,
  run: (store: TaskStore) => Promise<void>,
  needs: readonly Need[] = [],
): Check {
  return { name, needs, run: async (trial) => run(await trial.open()) };
}

/** Why the store has not what a check needs, or undefined. */
export function lacks<Place>(store: StoreUnderTest<Place>, need: Need): NotTried | undefined {
  const { administration, durable, shared } = store;
  if (need === 'administration') return administration === true ? undefined : administration;
  if (need === 'shared') return textOf(shared);
  if (need === 'alone') {
    return typeof shared === 'string' ? undefined : 'Several processes may use the store.';
  }
  if (need === 'durable' || typeof durable === 'string') return textOf(durable);
  return textOf(durable[need]);
}

function textOf(part: unknown): string | undefined {
  return typeof part === 'string' ? part : undefined;
}

/** Runs a check on a new place. */
export async function runCheck<Place>(
  store: StoreUnderTest<Place>,
  run: Check['run'],
): Promise<void> {
  const opened: TaskStore[] = [];
  const places = new Set<Place>();
  try {
    await run(trialOf(store, await store.create(), opened, places));
  } finally {
    // A check may have closed some; a store that cannot be closed now was tried before.
    await Promise.allSettled(opened.map((each) => each.close()));
    for (const place of places) await store.remove?.(place);
  }
}

function trialOf<Place>(
  store: StoreUnderTest<Place>,
  place: Place,
  opened: TaskStore[],
  places: Set<Place>,
): Trial {
  places.add(place);
  const { durable, shared } = store;
  const part = <Name extends Exclude<keyof DurableStore<Place>, 'leases'>>(name: Name) => {
    const found = typeof durable === 'string' ? durable : durable[name];
    if (typeof found === 'string') throw new Error(`${name} is not tried: ${found}`);
    return found as Exclude<DurableStore<Place>[Name], string>;
  };
  return {
    async open() {
      const one = await store.open(place);
      opened.push(one);
      return one;
    },
    leases: typeof durable === 'string' ? 'kept' : durable.leases,
    async crash() {
      const left = part('crash')(place);
      return trialOf(store, await left, opened, places);
    },
    play: (script, onReady) => play(part('process')(place), script, onReady),
    failWrites: async () => part('failWrites')(place),
    files: () => part('files')(place),
    eventually: (what, condition) =>
      eventually(what, condition, typeof shared === 'string' ? undefined : shared.reportsWithinMs),
    async loseNotifications() {
      if (typeof shared !== 'string') await shared.loseNotifications?.(place);
    },
  };
}

/** Opens a place twice, as two processes would. */
export async function withTwo(
  { open }: Trial,
  work: (one: TaskStore, other: TaskStore) => Promise<void>,
): Promise<void> {
  const [one, other] = [await open(), await open()];
  await work(one, other);
}

/** Longer than any store takes to report a change. */
export const LONGEST_WAIT_MS = 60_000;

export async function eventually(
  what: string,
  condition: () => boolean,
  waitMs = LONGEST_WAIT_MS,
): Promise<void> {
  const until = performance.now() + waitMs;
  while (!condition()) {
    assert.ok(performance.now() < until, `No report within ${waitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** An operation of `together` that was acknowledged before the process was killed. */
interface Acknowledged {
  readonly index: number;
  readonly result?: unknown;
}

type Ending = readonly Acknowledged[];

/** Milliseconds for a process to open its store and to play its script. */
const LONGEST_MS = 60_000;

/**
 * Resolves with what was acknowledged when the process has been killed. Rejects when it ended otherwise,
 * for instance because it could not open the store. `onReady` is awaited in a script that waits.
 */
async function play(
  { module, argument, execArgv = [] }: StoreProcess,
  script: Script,
  onReady?: () => void,
): Promise<Ending> {
  const child = fork(fileURLToPath(module), [argument, JSON.stringify(script)], {
    execArgv: [...execArgv],
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
      if (name === 'stdout' && text.startsWith(READY)) {
        onReady?.();
        child.stdin?.write('go\n');
      }
    });
  }
  const timer = setTimeout(() => child.kill('SIGTERM'), LONGEST_MS);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  clearTimeout(timer);
  if (signal !== 'SIGKILL') {
    const how = signal ?? `exit code ${String(code)}`;
    throw new Error(
      `${module.href} ended with ${how} before it was killed: ${texts.stderr || 'it printed nothing'}`,
    );
  }
  return texts.stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Acknowledged);
}
