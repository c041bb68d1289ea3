import { taskError } from './errors.js';
import type { ExceededCap, InsertCaps } from './store.js';
import type { Caller, TaskRecord } from './record.js';

/** On by default; every one can be set. Counts unless the name says otherwise. */
export interface TaskLimits {
  /** Live tasks of one owner: a user by way of one client. */
  readonly livePerOwner: number;
  /** Live tasks of one subject: a user by way of all clients. Default: twice `livePerOwner`. */
  readonly livePerSubject: number;
  /** Live tasks that a subject may have when there are `liveShared` in all. */
  readonly liveReserve: number;
  /** Live tasks in all, beyond which only subjects with fewer than `liveReserve` get one. Default: half of `live`. */
  readonly liveShared: number;
  /** Live tasks in all. */
  readonly live: number;
  /** Tasks of one owner that have not expired, ended ones included. */
  readonly storedPerOwner: number;
  /** The same of one subject. Default: twice `storedPerOwner`. */
  readonly storedPerSubject: number;
  /** Creations an owner may make a second, in the long run and at once. */
  readonly createsPerSecond: number;
  readonly createBurst: number;
  /** Gets, lists, waits, cancels and updates an owner may make a second, in the long run and at once. */
  readonly readsPerSecond: number;
  readonly readBurst: number;
  /** Waiters and subscriptions of one owner, and in all. When half of all are taken, a subject gets up to 100. */
  readonly listenersPerOwner: number;
  readonly listeners: number;
  /** Owners whose rates are kept in memory; the one that was idle longest is dropped first. */
  readonly ownersRemembered: number;
  /** Milliseconds: the TTL of a request that asks for none, and the range to which others are clamped. */
  readonly ttlDefault: number;
  readonly ttlMin: number;
  readonly ttlMax: number;
  readonly argsBytes: number;
  /**
   * Arguments of all tasks that wait or run in this process, without those up to 16 KiB; a subject gets half. The tasks of
   * lost processes are taken over whatever they have.
   */
  readonly heldArgsBytes: number;
  readonly resultBytes: number;
  /** Size of one request for input, and of one answer. */
  readonly inputBytes: number;
  /** Requests for input in a task's life. */
  readonly inputRequests: number;
  /** Steps and pauses in a task's life. */
  readonly steps: number;
  /** Size of the results of all steps of a task together. */
  readonly stepsBytes: number;
  /** Characters; a longer message is cut. */
  readonly statusMessageChars: number;
  readonly pageSize: number;
  /** Runs of one task before it is given up, when each time its worker is lost. */
  readonly attempts: number;
}

const HOUR = 3_600_000;
const MIB = 2 ** 20;

/** The longest TTL that a request may ask for: ten years. */
export const LONGEST_TTL = 10 * 365.25 * 24 * HOUR;

export const DEFAULT_LIMITS: TaskLimits = {
  livePerOwner: 1_000,
  livePerSubject: 2_000,
  liveReserve: 100,
  liveShared: 10_000,
  live: 20_000,
  storedPerOwner: 20_000,
  storedPerSubject: 40_000,
  createsPerSecond: 100,
  createBurst: 1_000,
  readsPerSecond: 500,
  readBurst: 2_000,
  listenersPerOwner: 10_000,
  listeners: 50_000,
  ownersRemembered: 10_000,
  ttlDefault: HOUR,
  ttlMin: 1,
  ttlMax: 24 * HOUR,
  argsBytes: MIB,
  heldArgsBytes: 256 * MIB,
  resultBytes: 4 * MIB,
  inputBytes: MIB / 4,
  inputRequests: 32,
  steps: 1_000,
  stepsBytes: 4 * MIB,
  statusMessageChars: 1_000,
  pageSize: 50,
  attempts: 3,
};

/** Fills in the defaults. Throws a RangeError that names the first invalid limit. */
export function completeLimits(given: Partial<TaskLimits> = {}): TaskLimits {
  const set = { ...DEFAULT_LIMITS, ...given };
  const limits: TaskLimits = {
    ...set,
    livePerSubject: given.livePerSubject ?? 2 * set.livePerOwner,
    liveShared: given.liveShared ?? Math.ceil(set.live / 2),
    storedPerSubject: given.storedPerSubject ?? 2 * set.storedPerOwner,
  };
  for (const [name, value] of Object.entries(set)) {
    if (!(name in DEFAULT_LIMITS)) throw new RangeError(`Unknown limit ${name}`);
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new RangeError(`Limit ${name} must be a positive integer, not ${String(value)}`);
    }
  }
  if (limits.ttlMin > limits.ttlMax || limits.ttlMax > LONGEST_TTL) {
    throw new RangeError(`Limits must satisfy ttlMin <= ttlMax <= ${LONGEST_TTL}`);
  }
  if (limits.liveShared > limits.live) {
    throw new RangeError(
      `Limit liveShared (${limits.liveShared}) must not exceed live (${limits.live})`,
    );
  }
  return limits;
}

/**
 * The TTL that a task gets for the requested one.
 *
 * Throws `invalid_ttl` for anything but an integer from 1 ms to ten years.
 */
export function grantTtl(requested: unknown, limits: TaskLimits): number {
  const ttl = requested ?? limits.ttlDefault;
  if (requested === null || !Number.isSafeInteger(ttl) || !inRange(ttl as number)) {
    throw taskError('invalid_ttl', `ttl must be an integer from 1 to ${LONGEST_TTL} milliseconds`);
  }
  return Math.min(Math.max(ttl as number, limits.ttlMin), limits.ttlMax);
}

function inRange(ttl: number): boolean {
  return ttl >= 1 && ttl <= LONGEST_TTL;
}

/** Tasks that a store has. */
export interface TaskTotals {
  readonly live: number;
  readonly stored: number;
}

/**
 * The cap that one more task would exceed. A subject that has fewer than `liveReserve` live tasks may take any of
 * `live`; the others share the first `liveShared` of them. So `(live - liveShared) / liveReserve` subjects get their
 * first tasks, whatever others do.
 */
export function capExceeded(
  owner: TaskTotals,
  subject: TaskTotals,
  live: number,
  caps: InsertCaps,
): ExceededCap | undefined {
  if (owner.live >= caps.livePerOwner) return 'livePerOwner';
  if (subject.live >= caps.livePerSubject) return 'livePerSubject';
  if (owner.stored >= caps.storedPerOwner) return 'storedPerOwner';
  if (subject.stored >= caps.storedPerSubject) return 'storedPerSubject';
  if (live >= caps.live) return 'live';
  if (subject.live >= caps.liveReserve && live >= caps.liveShared) return 'liveShared';
  return undefined;
}

/** Up to this many bytes, values are bounded by their number alone. */
const SMALL = 2 ** 14;

/** Bytes that are kept. */
export interface Hold {
  /** They are not kept any more. Does nothing the second time. */
  release(): void;
}

/** Bounds the bytes that all subjects together make this process keep. One subject gets half of them. */
export class ByteBudget {
  readonly #most: number;
  readonly #bySubject = new Map<string, number>();
  #sum = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Keeps bytes if there is room; otherwise says whose room is used up. Undefined for few bytes. */
  take(subject: string, bytes: number): Hold | 'all' | 'subject' | undefined {
    if (bytes <= SMALL) return undefined;
    const own = this.#bySubject.get(subject) ?? 0;
    // What is larger than a share has it alone.
    if (own > 0 && own + bytes > this.#most / 2) return 'subject';
    if (this.#sum > 0 && this.#sum + bytes > this.#most) return 'all';
    return this.keep(subject, bytes);
  }

  /** Keeps bytes whether there is room or not. */
  keep(subject: string, bytes: number): Hold | undefined {
    if (bytes <= SMALL) return undefined;
    this.#add(subject, bytes);
    let held = bytes;
    return {
      release: () => {
        this.#add(subject, -held);
        held = 0;
      },
    };
  }

  #add(subject: string, bytes: number): void {
    this.#sum += bytes;
    const own = (this.#bySubject.get(subject) ?? 0) + bytes;
    if (own > 0) this.#bySubject.set(subject, own);
    else this.#bySubject.delete(subject);
  }
}

/** Writes that share a transaction: by their number, and by what they write. */
export interface GroupLimits {
  readonly most: number;
  /** Characters of payloads in all, unless the first write has more. */
  readonly largest: number;
}

/** How many writes, from the first one, form the next group: at least one. `sizes` are their characters. */
export function groupLength(sizes: Iterable<number>, { most, largest }: GroupLimits): number {
  let [count, size] = [0, 0];
  for (const each of sizes) {
    size += each;
    if (count === most || (count > 0 && size > largest)) break;
    count += 1;
  }
  return count;
}

/** Characters of the payloads that an insertion writes. */
export function insertSize(record: TaskRecord): number {
  return record.args.length + updateSize(record);
}

/** Characters of the payloads that an update writes: all but the arguments, which never change. */
export function updateSize({ input, steps, outcome = '' }: TaskRecord): number {
  let size = outcome.length;
  for (const { params, answer = '' } of input) size += params.length + answer.length;
  for (const { result = '' } of steps) size += result.length;
  return size;
}

/** The subject of an owner, whose tasks are counted together. */
export function subjectKeyOf({ owner, subjectKey = owner }: Omit<Caller, 'dialect'>): string {
  return subjectKey;
}
