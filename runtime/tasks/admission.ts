import type { Audit, Telemetry } from './recorder.js';
import type { Clock } from './clock.js';
import { overLimit, TaskError, taskError } from './errors.js';
import type { TaskLimits } from './limits.js';
import { createLruMap } from './lru-map.js';
import { createRateLimiter } from './rates.js';
import type { Caller, TaskSummary } from './record.js';
import { createWaits } from './waits.js';

/** Admits or refuses every public operation: while the engine is open, within the rates of its owner and subject. Audits each refusal. */
interface Admission {
  create<T>(caller: Caller, method: string, work: () => Promise<T>): Promise<T>;
  access<T>(method: string, caller: Caller, id: unknown, work: () => Promise<T>): Promise<T>;
  /** Records a poll of a live task, to count polls that come too early. */
  polled(task: TaskSummary): void;
  closedError(): TaskError;
  /** Refuses creations. Resolves when the running operations are done. */
  drain(): Promise<void>;
  /** Refuses all operations. Resolves when the running ones are done. */
  close(): Promise<void>;
}

/** The rate of a subject, in rates of an owner: a user of ten clients gets no more than of two. */
const OWNERS_OF_SUBJECT = 2;
const POLLS_REMEMBERED = 10_000;
const LONGEST_ID_NOTED = 64;
/** Callers of a store that is away longer are asked to retry this often. */
const LONGEST_OUTAGE_WAIT_MS = 10_000;
const STORE = 'store';

export function createAdmission(dependencies: {
  readonly clock: Clock;
  readonly limits: TaskLimits;
  readonly audit: Audit;
  readonly telemetry: Telemetry;
  /** Milliseconds between the polls that requestors are asked to keep. */
  readonly pollInterval: number;
  /** Receives errors that are no refusals. */
  readonly report: (error: unknown) => void;
}): Admission {
  const { clock, limits, audit, telemetry, report, pollInterval } = dependencies;
  const creates = ratesOf('createsPerSecond', limits.createBurst);
  const reads = ratesOf('readsPerSecond', limits.readBurst);
  const polls = createLruMap<number>(POLLS_REMEMBERED);
  let draining = false;
  let closed = false;
  let running = 0;
  let onIdle = (): void => undefined;

  const outages = createWaits(clock, {
    least: pollInterval,
    most: Math.max(pollInterval, LONGEST_OUTAGE_WAIT_MS),
    keys: 1,
  });

  const closedError = (): TaskError =>
    taskError('closed', `The server is shutting down; retry in ${pollInterval} ms`, {
      retryAfterMs: pollInterval,
    });

  /** Admits an operation at the rate of its owner, and of its subject. Throws the refusal. */
  function ratesOf(
    limit: 'createsPerSecond' | 'readsPerSecond',
    burst: number,
  ): (caller: Caller) => void {
    const [perSecond, keys] = [limits[limit], limits.ownersRemembered];
    const owners = createRateLimiter(clock, { perSecond, burst, keys });
    const subjects = createRateLimiter(clock, {
      perSecond: OWNERS_OF_SUBJECT * perSecond,
      burst: OWNERS_OF_SUBJECT * burst,
      keys,
    });
    return ({ owner, subjectKey }) => {
      const ownWait = owners.take(owner);
      if (ownWait > 0) throw overLimit(limit, perSecond, ownWait);
      const wait = subjectKey === undefined ? 0 : subjects.take(subjectKey);
      if (wait === 0) return;
      owners.giveBack(owner);
      throw overLimit(limit, OWNERS_OF_SUBJECT * perSecond, wait);
    };
  }

  async function pass<T>(
    admit: (caller: Caller) => void,
    caller: Caller,
    request: { readonly method: string; readonly id?: string },
    work: () => Promise<T>,
  ): Promise<T> {
    running += 1;
    try {
      if (closed || (draining && admit === creates)) throw closedError();
      admit(caller);
      const done = await work();
      outages.worked(STORE);
      return done;
    } catch (error) {
      const refusal = asTaskError(error);
      const { owner, dialect } = caller;
      audit('refused', { owner, dialect, ...request }, refusal.reason);
      telemetry.refused(refusal.reason);
      // Node takes note of a promise that rejects before anything awaits it, which clients that guess ids could use.
      await Promise.resolve();
      throw refusal;
    } finally {
      running -= 1;
      if (running === 0) onIdle();
    }
  }

  function asTaskError(error: unknown): TaskError {
    if (error instanceof TaskError) return error;
    report(error);
    const retryAfterMs = outages.failed(STORE);
    const message = `The store of tasks failed; retry in ${retryAfterMs} ms`;
    return new TaskError('internal', message, { retryAfterMs }, { cause: error });
  }

  function idle(): Promise<void> {
    return new Promise((resolve) => {
      onIdle = resolve;
      if (running === 0) resolve();
    });
  }

  return {
    closedError,
    create: (caller, method, work) => pass(creates, caller, { method }, work),
    access: (method, caller, id, work) =>
      pass(
        reads,
        caller,
        { method, ...(typeof id === 'string' && { id: id.slice(0, LONGEST_ID_NOTED) }) },
        work,
      ),
    polled({ id, pollInterval }) {
      const now = clock.monotonic();
      const last = polls.get(id);
      // Half the interval is the tolerance for clocks and networks.
      if (last !== undefined && now - last < pollInterval / 2) telemetry.eagerPoll();
      polls.set(id, now);
    },
    drain() {
      draining = true;
      return idle();
    },
    close() {
      closed = true;
      return idle();
    },
  };
}
