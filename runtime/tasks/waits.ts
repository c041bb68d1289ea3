import type { Clock } from './clock.js';
import { createLruMap } from './lru-map.js';
import { type Caller, subjectKeyOf } from './record.js';
import type { ExceededCap } from './store.js';

/**
 * When a retry may succeed, of operations that fail for a while: of a full cap, or of a store that is away. What has
 * lasted for some time is expected to last as long again. So a client that keeps to it asks ever more rarely.
 */
interface Waits {
  /** Notes a failure. Returns milliseconds, from `least` to `most`. */
  failed(key: string): number;
  /** What failed under this key works again. Returns whether it had failed. */
  worked(key: string): boolean;
}

interface WaitLimits {
  readonly least: number;
  readonly most: number;
  /** Keys that are remembered; the one that failed first is dropped. */
  readonly keys: number;
}

export function createWaits(clock: Clock, { least, most, keys }: WaitLimits): Waits {
  const since = createLruMap<number>(keys);
  return {
    failed(key) {
      const now = clock.monotonic();
      const began = since.get(key) ?? now;
      if (began === now) since.set(key, now);
      return Math.min(Math.max(Math.ceil(now - began), least), most);
    },
    worked: (key) => since.delete(key),
  };
}

type Owner = Omit<Caller, 'dialect'>;

/** When a refused creation may succeed. Those that a cap counts together share the answer. */
interface Room {
  /** Milliseconds. */
  refused(owner: Owner, cap: ExceededCap): number;
  created(owner: Owner): void;
}

export function createRoom(waits: Waits): Room {
  return {
    refused(owner, cap) {
      if (cap === 'liveShared') waits.failed(beyondReserve(owner));
      return waits.failed(keyOf(owner, cap));
    },
    created(owner) {
      for (const cap of OWN_CAPS) waits.worked(keyOf(owner, cap));
      waits.worked('live');
      // A subject within its reserve gets its task although the shared room is full.
      if (waits.worked(beyondReserve(owner))) waits.worked('liveShared');
    },
  };
}

const OWN_CAPS = [
  'livePerOwner',
  'storedPerOwner',
  'livePerSubject',
  'storedPerSubject',
] as const satisfies readonly ExceededCap[];

/** Whose tasks the cap counts. */
function keyOf(owner: Owner, cap: ExceededCap): string {
  switch (cap) {
    case 'livePerOwner':
    case 'storedPerOwner':
      return `${cap} ${owner.owner}`;
    case 'livePerSubject':
    case 'storedPerSubject':
      return `${cap} ${subjectKeyOf(owner)}`;
    case 'liveShared':
    case 'live':
      return cap;
  }
}

function beyondReserve(owner: Owner): string {
  return `reserve ${subjectKeyOf(owner)}`;
}
