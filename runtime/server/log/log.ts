/** What a server says of itself, as lines of a logger with levels, so that what repeats does not fill the log. */

import type { AuditEventType, AuditSink, AuditEvent } from '../../tasks/index.js';
import { later, type Timer } from '../../transport/index.js';

/** A logger with levels, such as pino's. `fields` become members of the line. */
export interface ServerLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

type Line = readonly [level: keyof ServerLog, message: string];

/** Faults and tasks that are left come from `onError`, where repetitions are counted. */
const LINES: Readonly<Record<Exclude<AuditEventType, 'fault' | 'left'>, Line>> = {
  created: ['info', 'Task created'],
  deduplicated: ['info', 'Task found by its idempotency key'],
  input_requested: ['info', 'Task asks for input'],
  input_answered: ['info', 'Task got input'],
  step_finished: ['debug', 'Step finished'],
  steps_changed: ['warn', 'Steps of the handler have changed'],
  retrieved: ['info', 'Task retrieved'],
  listed: ['info', 'Tasks listed'],
  completed: ['info', 'Task completed'],
  failed: ['warn', 'Task failed'],
  cancelled: ['info', 'Task cancelled'],
  expired: ['info', 'Task expired'],
  recovered: ['warn', 'Task taken over from a lost worker'],
  released: ['info', 'Task released for another worker'],
  fenced: ['warn', 'Write of a lost run refused'],
  abandoned: ['warn', 'Handler did not stop'],
  refused: ['warn', 'Request refused'],
};

/** Writes a line for each audit event, refusals without an owner coalesced. No line holds what users sent. */
function logAudit(log: ServerLog): AuditSink {
  return countRefusals((event) => {
    const { type, at: _, reason, ...rest } = event;
    if (type === 'fault' || type === 'left') return;
    const [level, message] = LINES[type];
    // The message of a failure may quote what a user typed.
    const why = type === 'failed' || reason === undefined ? {} : { reason };
    log[level]({ event: type, ...cleaned({ ...rest, ...why }) }, message);
  });
}

/** Writes a line for each warning and each fault, and a count of the faults that repeat. */
function logFaults(log: ServerLog): (error: Error) => void {
  const report = createReporter((line) => log.error({ event: 'fault' }, line));
  const warn = createReporter((line) => log.warn({ event: 'warning' }, line));
  return (error) => (error instanceof Warning ? warn(error) : report(error));
}

/** Clients choose paths and ids of tasks. */
function cleaned(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? oneLine(value) : value,
    ]),
  );
}

/** Options of a server whose audit events and faults are lines of a log. */
export interface Logged {
  readonly audit: AuditSink;
  readonly onError: (error: Error) => void;
}

/** Spread them: `createTaskServer({ ...loggedBy(console), … })`. `audit` gets each event as well. */
export function loggedBy(log: ServerLog, audit?: AuditSink): Logged {
  const logged = logAudit(log);
  return {
    audit:
      audit === undefined
        ? logged
        : async (event) => {
            void logged(event);
            await audit(event);
          },
    onError: logFaults(log),
  };
}

/** Milliseconds of a window, in which each kind is passed on at most once. */
const WINDOW_MS = 10_000;
/** Milliseconds after which a window whose timer did not fire has ended. */
const LATE_MS = 1_000;
/** Different kinds that are passed on in one window; the others are counted. */
const MOST_KINDS = 20;

/** Where things that may repeat without limit go. */
interface Coalesced<T> {
  /** The first of its kind. */
  readonly first: (item: T) => void;
  /** So many more of its kind in the last 10 s. */
  readonly repeated: (item: T, times: number) => void;
  /** So many of further kinds in the last 10 s. */
  readonly others: (times: number) => void;
}

/**
 * Passes the first of each kind on at once, and then every 10 s how many more there were, so that what
 * repeats under load does not fill a log. `kind` may have any length.
 */
function createCoalescer<T>(to: Coalesced<T>): (kind: string, item: T) => void {
  /** The kinds of this window, and how often each occurred since it was last passed on. */
  let kinds = new Map<string, { readonly item: T; times: number }>();
  let left = 0;
  let timer: Timer | undefined;
  let endsAt = 0;

  function endWindow(): void {
    const repeated = [...kinds].filter(([, { times }]) => times > 0);
    for (const [, { item, times }] of repeated) to.repeated(item, times);
    if (left > 0) to.others(left);
    // A kind that still repeats is not new in the next window.
    kinds = new Map(repeated.map(([kind, { item }]) => [kind, { item, times: 0 }]));
    left = 0;
    timer = kinds.size > 0 ? schedule() : undefined;
  }

  function schedule(): Timer {
    endsAt = performance.now() + WINDOW_MS;
    return later(WINDOW_MS, endWindow);
  }

  return (kind, item) => {
    // In workerd the timer ends with the request that set it.
    if (timer !== undefined && performance.now() > endsAt + LATE_MS) {
      clearTimeout(timer);
      endWindow();
    }
    timer ??= schedule();
    const known = kinds.get(kind);
    if (known !== undefined) {
      known.times += 1;
    } else if (kinds.size >= MOST_KINDS) {
      left += 1;
    } else {
      kinds.set(kind, { item, times: 0 });
      to.first(item);
    }
  };
}

const LONGEST_LINE = 500;

/** Control and formatting characters could forge lines, move a terminal's cursor or reverse its text. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, LONGEST_LINE);
}

/**
 * Writes a line for each fault. A fault that repeats is written at once, and then every 10 s with a count,
 * so that a full disk under load does not fill the log.
 */
export function createReporter(
  write: (line: string) => void = (line) => console.error(line),
): (error: Error) => void {
  const report = createCoalescer<string>({
    first: write,
    repeated: (line, times) => write(`${line} (${times} more in 10 s)`),
    others: (times) => write(`${times} more faults of other kinds in 10 s`),
  });
  return ({ message }) => {
    const line = oneLine(message);
    report(line, line);
  };
}

/** Tells the operator of a risk, while nothing fails. `onError` gets it too. */
export class Warning extends Error {
  override readonly name = 'Warning';
}

/** An audit event that may stand for several. */
export interface CountedEvent extends AuditEvent {
  /** How many more events like this one there were in the last 10 s. */
  readonly times?: number;
}

/**
 * Passes audit events on, but counts refusals that a client can cause without limit: those without an
 * owner, such as requests without a token, and those beyond a rate.
 */
export function countRefusals(sink: (event: CountedEvent) => void): AuditSink {
  const refused = createCoalescer<AuditEvent>({
    first: sink,
    repeated: (event, times) => sink({ ...event, at: Date.now(), times }),
    others: (times) => sink({ type: 'refused', at: Date.now(), reason: 'other', times }),
  });
  return (event) => {
    const { type, owner, method, reason } = event;
    if (type !== 'refused' || (owner !== undefined && reason !== 'limit')) return sink(event);
    // A path of an HTTP request is no kind, because a client may ask for any.
    const kind = owner === undefined ? [reason] : [reason, owner, method];
    refused(kind.join('\n'), event);
  };
}
