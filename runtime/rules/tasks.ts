/** What the specification says of tasks and no schema does, for the engine, the client, `validate` and pages. */
import { COMPLETE } from './messages.js';

/** The two wire dialects: the core protocol's experimental tasks (2025-11-25) and the tasks extension (2026-07-28). */
export type Dialect = 'core' | 'ext';

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

export const TASK_STATUSES: readonly TaskStatus[] = [
  'working',
  'input_required',
  'completed',
  'failed',
  'cancelled',
];

/**
 * Where each status may go: CORE-LIFE-1, CORE-LIFE-2. A live task may also stay as it is and change its message or input.
 */
export const TRANSITIONS: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  working: TASK_STATUSES,
  input_required: TASK_STATUSES,
  completed: [],
  failed: [],
  cancelled: [],
};

const TERMINAL: ReadonlySet<unknown> = /* @__PURE__ */ new Set(
  TASK_STATUSES.filter((status) => TRANSITIONS[status].length === 0),
);

/** Whether a task with this status has ended. A text that is no status is not terminal. */
export function isTerminal(status: string | undefined): boolean {
  return TERMINAL.has(status);
}

/** The decisions that depend on the dialect. Wire shapes are in `runtime/peer/wire`. */
export const DIALECTS = {
  core: {
    /** Status of a task whose tool result says `isError`: CORE-LIFE-3, EXT-GET-3. */
    toolErrorStatus: 'failed',
    /** Whether cancelling a task that has ended is an error: CORE-CAN-2, EXT-CAN-1. */
    refusesCancelOfEnded: true,
    /** Whether clients are told that the user is done on the page of a question by URL. */
    announcesCompletedElicitations: true,
    /** Fields that every result has to have. */
    resultFields: {},
    /** Its names for the milliseconds of a task: CORE-NEW-5, CORE-NEW-6, EXT-NEW-5. */
    fields: { ttl: 'ttl', pollInterval: 'pollInterval' },
  },
  ext: {
    toolErrorStatus: 'completed',
    refusesCancelOfEnded: false,
    announcesCompletedElicitations: false,
    resultFields: COMPLETE,
    fields: { ttl: 'ttlMs', pollInterval: 'pollIntervalMs' },
  },
} as const;
