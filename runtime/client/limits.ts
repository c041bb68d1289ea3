/** Bounds on the work that servers can cause in a client. */
export interface ClientLimits {
  /** Shortest and longest delay between polls of a task, in milliseconds, whatever the server suggests. */
  readonly pollMin: number;
  readonly pollMax: number;
  /** Polls of all tasks together. */
  readonly pollsPerSecond: number;
  readonly pollsAtOnce: number;
  /** Open `tasks/result` requests for tasks in status `working`; the client polls the others. */
  readonly waits: number;
  /**
   * Milliseconds without a message about a call before the call fails. Messages are its progress, log messages and other
   * notifications, and questions. 0: no limit. A call with the option `timeout` has that instead.
   */
  readonly silence: number;
  /** Milliseconds for a poll or another short request. */
  readonly requestTimeout: number;
  /**
   * Milliseconds before the call fails because polls fail, the result of an ended task is missing, or a
   * task is `input_required` without an input request.
   */
  readonly patience: number;
  /** Input requests of one call. */
  readonly inputRequests: number;
  /** Input requests of a session that belong to no task and are being answered. Further ones get an error. */
  readonly openQuestions: number;
  /** Entries of one list of the server: tools, prompts, resources, resource templates. */
  readonly listEntries: number;
}

export const DEFAULT_CLIENT_LIMITS: ClientLimits = {
  pollMin: 100,
  pollMax: 60_000,
  pollsPerSecond: 100,
  pollsAtOnce: 16,
  waits: 200,
  silence: 300_000,
  requestTimeout: 30_000,
  patience: 60_000,
  inputRequests: 100,
  openQuestions: 100,
  listEntries: 100_000,
};

/** Fills in the defaults. Throws a RangeError that names the first invalid limit. */
export function completeLimits(given: Partial<ClientLimits> = {}): ClientLimits {
  const limits: ClientLimits = { ...DEFAULT_CLIENT_LIMITS, ...given };
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(DEFAULT_CLIENT_LIMITS, name)) {
      const names = Object.keys(DEFAULT_CLIENT_LIMITS).join(', ');
      throw new RangeError(`Unknown limit ${name}: choose from ${names}`);
    }
    const least = name === 'silence' ? 0 : 1;
    if (!Number.isSafeInteger(value) || value < least) {
      throw new RangeError(
        `Limit ${name} must be an integer of at least ${least}, not ${String(value)}`,
      );
    }
  }
  return limits;
}
