import type { Audit, Telemetry } from './recorder.js';
import type { Clock } from './clock.js';
import { overLimit, TaskError, taskError } from './errors.js';
import { type TaskLimits, subjectKeyOf } from './limits.js';
import { type Caller, type TaskSummary, type Idempotency, type JsonObject } from './record.js';
import type { ExceededCap } from './store.js';
import { digest } from './json.js';

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

/** A map of bounded size (least recently used): beyond `capacity` it drops the entry that was set longest ago. */
interface LruMap<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  /** Returns whether it was there. */
  delete(key: string): boolean;
}

export function createLruMap<V>(capacity: number): LruMap<V> {
  const entries = new Map<string, V>();
  let newest: string | undefined;
  return {
    get: (key) => entries.get(key),
    delete: (key) => entries.delete(key),
    set(key, value) {
      // Each deletion leaves a gap, and a map copies itself to close its gaps, into memory that is collected rarely.
      if (key !== newest) entries.delete(key);
      newest = key;
      entries.set(key, value);
      if (entries.size <= capacity) return;
      const oldest = entries.keys().next();
      if (!oldest.done) entries.delete(oldest.value);
    },
  };
}

/** Token buckets, one for each key. */
interface RateLimiter {
  /** Takes a token. Returns 0, or how many milliseconds until there is one. */
  take(key: string): number;
  /** Returns a token that was taken for an operation that is refused for another reason. */
  giveBack(key: string): void;
}

/** A token, in the unit that a bucket counts in: what it gets in a second at a rate of one. */
const TOKEN = 1_000;
/** Times are fractions of a millisecond, whose sums are not exact. */
const ROUNDING = 1e-6;

export function createRateLimiter(
  clock: Clock,
  rate: { readonly perSecond: number; readonly burst: number; readonly keys: number },
): RateLimiter {
  const buckets = createLruMap<{ credit: number; at: number }>(rate.keys);
  const most = rate.burst * TOKEN;

  return {
    take(key) {
      const now = clock.monotonic();
      const bucket = buckets.get(key) ?? { credit: most, at: now };
      const credit = Math.min(bucket.credit + (now - bucket.at) * rate.perSecond, most);
      const granted = credit + ROUNDING >= TOKEN;
      buckets.set(key, { credit: granted ? credit - TOKEN : credit, at: now });
      return granted ? 0 : Math.ceil((TOKEN - credit) / rate.perSecond);
    },
    giveBack(key) {
      const bucket = buckets.get(key);
      if (bucket !== undefined) bucket.credit = Math.min(bucket.credit + TOKEN, most);
    },
  };
}

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

/**
 * `_meta` key under which a requestor may send a string of 1 to 255 characters that names this
 * creation. The same owner sending the same key with the same request again gets the same task.
 */
export const IDEMPOTENCY_META_KEY = 'mcp-codegen/idempotency-key';

const LONGEST_KEY = 255;
/** Characters of a progress token. A page of tasks reads the token of each. */
export const LONGEST_TOKEN = 1_000;

/**
 * The engine's reading of a request's `_meta`. Throws `invalid_params` for an idempotency key that is none, and for a
 * progress token that is too long.
 */
export function readMeta(
  meta: JsonObject,
  request: () => unknown,
): { readonly progressToken?: string | number; readonly idempotency?: Idempotency } {
  const token = meta['progressToken'];
  const key = meta[IDEMPOTENCY_META_KEY];
  if (key !== undefined && !isKey(key)) {
    throw taskError(
      'invalid_params',
      `${IDEMPOTENCY_META_KEY} must be a string of 1 to ${LONGEST_KEY} characters`,
    );
  }
  if (typeof token === 'string' && token.length > LONGEST_TOKEN) {
    throw taskError(
      'invalid_params',
      `progressToken must have at most ${LONGEST_TOKEN} characters`,
    );
  }
  return {
    ...((typeof token === 'string' || typeof token === 'number') && { progressToken: token }),
    ...(key !== undefined && { idempotency: { key, digest: digestOf(request()) } }),
  };
}

function digestOf(request: unknown): string {
  try {
    return digest(request);
  } catch {
    throw taskError('invalid_params', 'The arguments are nested too deeply to be compared');
  }
}

function isKey(value: unknown): value is string {
  return typeof value === 'string' && value.length >= 1 && value.length <= LONGEST_KEY;
}
