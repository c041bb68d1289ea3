import type { TaskStore } from '../../tasks/index.js';
import { eventually } from './eventually.js';
import { play, type Ending } from './play.js';
import type { Script } from './script.js';
import type { DurableStore, Mend, NotTried, StoreUnderTest } from './store-under-test.js';

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
