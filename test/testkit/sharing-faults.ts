import { forgetsLeases, seeded, setLater, type Fault } from './fault.js';

/** Of stores that several processes share. */
export const SHARING_FAULTS: Readonly<Record<string, Fault>> = {
  'reports no removal': seeded(
    'reports to one store what another changes and removes, and it can be read then',
    (store) => ({
      watch: (listener) =>
        store.watch?.((change) => {
          if (change.kind !== 'removed') listener(change);
        }) ?? (() => undefined),
    }),
  ),
  'reports to a watcher that has ended': seeded(
    'reports nothing to a watcher that has ended, and goes on for the others',
    (store) => ({
      watch(listener) {
        store.watch?.(listener);
        return () => undefined;
      },
    }),
  ),
  'does not report owners of some length': seeded(
    'reports thousands of changes of one moment, and owners of any length',
    (store) => ({
      watch: (listener) =>
        store.watch?.((change) => {
          if (change.key.owner.length < 1_000) listener(change);
        }) ?? (() => undefined),
    }),
  ),
  'has the time of its process': seeded(
    'gives every store the same time, whatever the clock of its process says',
    () => {
      const offset = Date.now() - Math.floor(performance.timeOrigin + performance.now());
      return { now: () => Math.floor(performance.timeOrigin + performance.now()) + offset };
    },
  ),
  'has a time that goes back': seeded('has a time that never goes back, and goes on', () => {
    let calls = 0;
    return { now: () => Date.now() - ((calls += 1) % 7) * 10 };
  }),
  'has a time that stands still': seeded('has a time that never goes back, and goes on', () => {
    const now = Date.now();
    return { now: () => now };
  }),
  'compares and sets in two steps, on two stores': seeded(
    'lets one of many rivals on two stores win',
    (store) => ({ update: (next) => setLater(store, next) }),
  ),
  'keeps a lease from the other stores': seeded(
    'gives every store the same tasks and the same secret',
    (store) => forgetsLeases(store),
  ),
  'has a secret of its own': seeded('gives every store the same tasks and the same secret', () => {
    const secret = crypto.getRandomValues(new Uint8Array(32));
    return { secret: () => Promise.resolve(secret) };
  }),
  'counts for itself': seeded('keeps each cap exactly on two stores', (store) => {
    let live = 0;
    return {
      async insert(record, caps) {
        if (live >= caps.live) return { kind: 'full', cap: 'live' };
        live += 1;
        return store.insert(record, { ...caps, live: 1e9 });
      },
    };
  }),
};
