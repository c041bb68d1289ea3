import type { AuditEventType, AuditSink } from '../../tasks/index.js';
import { countRefusals, createReporter, oneLine, Warning } from './faults.js';

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
