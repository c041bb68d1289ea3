/** Bounds on what servers can make a client do. All can be set. */
export interface ClientLimits {
  /** Milliseconds between polls of a task, whatever its server suggests. */
  readonly pollMin: number;
  readonly pollMax: number;
  /** Polls of all tasks together. */
  readonly pollsPerSecond: number;
  readonly pollsAtOnce: number;
  /** `tasks/result` requests that stay open for tasks that merely work; the others are polled. */
  readonly waits: number;
  /** Milliseconds that a poll, or another short request, may take. */
  readonly requestTimeout: number;
  /**
   * Milliseconds for which polls may fail, a result may be owed, or a task may wait for input that it
   * does not ask for, before the call fails.
   */
  readonly patience: number;
  /** Questions that one call may ask. */
  readonly questions: number;
  /** Milliseconds that checking one result against its tool's output schema may take. */
  readonly schemaTimeout: number;
}

export const DEFAULT_CLIENT_LIMITS: ClientLimits = {
  pollMin: 100,
  pollMax: 60_000,
  pollsPerSecond: 100,
  pollsAtOnce: 16,
  waits: 200,
  requestTimeout: 30_000,
  patience: 60_000,
  questions: 100,
  schemaTimeout: 2_000,
};

/** Fills in the defaults. Throws a RangeError that names the first limit that makes no sense. */
export function completeLimits(given: Partial<ClientLimits> = {}): ClientLimits {
  const limits: ClientLimits = { ...DEFAULT_CLIENT_LIMITS, ...given };
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(DEFAULT_CLIENT_LIMITS, name)) throw new RangeError(`Unknown limit ${name}`);
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new RangeError(`Limit ${name} must be a positive integer, not ${String(value)}`);
    }
  }
  return limits;
}
