import { subjectKeyOf, type Caller } from './record.js';
import type { ExceededCap } from './store.js';
import type { Waits } from './waits.js';

type Owner = Omit<Caller, 'dialect'>;

/** When a refused creation may succeed. Those that a cap counts together share the answer. */
export interface Room {
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
