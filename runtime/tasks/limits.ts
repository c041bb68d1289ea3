import { taskError } from './errors.js';

/** On by default; every one can be set. Counts unless the name says otherwise. */
export interface TaskLimits {
  /** Live tasks of one owner. */
  readonly livePerOwner: number;
  /** Live tasks in all. */
  readonly live: number;
  /** Tasks of one owner that have not expired, ended ones included. */
  readonly storedPerOwner: number;
  /** Creations an owner may make a second, in the long run and at once. */
  readonly createsPerSecond: number;
  readonly createBurst: number;
  /** Gets, lists, waits, cancels and updates an owner may make a second, in the long run and at once. */
  readonly readsPerSecond: number;
  readonly readBurst: number;
  /** Waiters and subscriptions of one owner, and in all. */
  readonly listenersPerOwner: number;
  readonly listeners: number;
  /** Owners whose rates are kept in memory; the one that was idle longest is dropped first. */
  readonly ownersRemembered: number;
  /** Milliseconds: the TTL of a request that asks for none, and the range to which others are clamped. */
  readonly ttlDefault: number;
  readonly ttlMin: number;
  readonly ttlMax: number;
  readonly argsBytes: number;
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
  live: 10_000,
  storedPerOwner: 20_000,
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
  const limits: TaskLimits = { ...DEFAULT_LIMITS, ...given };
  for (const [name, value] of Object.entries(limits)) {
    if (!(name in DEFAULT_LIMITS)) throw new RangeError(`Unknown limit ${name}`);
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new RangeError(`Limit ${name} must be a positive integer, not ${String(value)}`);
    }
  }
  if (limits.ttlMin > limits.ttlMax || limits.ttlMax > LONGEST_TTL) {
    throw new RangeError(`Limits must satisfy ttlMin <= ttlMax <= ${LONGEST_TTL}`);
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
