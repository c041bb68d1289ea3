import { isTerminal, TRANSITIONS } from '../rules/tasks.js';
import { taskError } from './errors.js';
import { merged } from './json.js';
import { HISTORY_ENTRIES, type TaskRecord } from './record.js';

/** A message without progress takes the place of both. */
export type Patch = Partial<
  Pick<
    TaskRecord,
    | 'status'
    | 'statusMessage'
    | 'progress'
    | 'input'
    | 'steps'
    | 'outcome'
    | 'worker'
    | 'fence'
    | 'attempt'
    | 'queued'
  >
>;

/**
 * The only function that makes a task's next version.
 *
 * Throws `ended` when the table does not allow the step.
 */
export function advance(record: TaskRecord, patch: Patch, now: number): TaskRecord {
  const status = patch.status ?? record.status;
  if (!TRANSITIONS[record.status].includes(status)) {
    throw taskError('ended', `Task is already ${record.status}`, { status: record.status });
  }
  const changed = {
    // A wall clock may step back, but the requestor must not see it.
    updatedAt: Math.max(record.updatedAt, now),
    version: record.version + 1,
  };
  const next: { -readonly [Field in keyof TaskRecord]: TaskRecord[Field] } = merged(
    merged(record, patch),
    changed,
  );
  // The end needs no entry: it is the last change. So a task without questions has no history to store.
  const moved = status !== record.status || next.attempt !== record.attempt;
  if (moved && !isTerminal(status)) {
    const { attempt, updatedAt: at, history = [] } = next;
    next.history = [...history, { status, attempt, at }].slice(-HISTORY_ENTRIES);
  }
  const isReplaced = patch.statusMessage !== undefined && patch.progress === undefined;
  if (isReplaced || isTerminal(status)) delete next.progress;
  if (next.queued !== true || isTerminal(status)) delete next.queued;
  if (record.queued === true && next.queued !== true) next.queuedUntil ??= next.updatedAt;
  if (isTerminal(status)) {
    next.worker = '';
    // "Step 3 of 5" says nothing about a task that has ended.
    if (patch.statusMessage === undefined) delete next.statusMessage;
  }
  return next;
}
