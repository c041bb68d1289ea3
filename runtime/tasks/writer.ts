import type { Clock } from './clock.js';
import { unknownTask } from './errors.js';
import type { Hub } from './hub.js';
import { expiresAt, type TaskKey, type TaskRecord, type TaskSummary } from './record.js';
import type { TaskStore } from './store.js';
import { advance, type Patch } from './transitions.js';

/** Reads tasks and changes them, one compare-and-set at a time. */
export interface Writer {
  /** Throws `unknown_task`, for an expired one too. */
  read(key: TaskKey): Promise<TaskRecord>;
  /**
   * Applies what `decide` makes of the task as it is; no patch, no change. When somebody else was
   * faster, decides again on what they left. By the time it resolves, listeners have heard.
   */
  change(
    key: TaskKey,
    decide: (record: TaskRecord) => Patch | undefined,
    known?: TaskRecord,
  ): Promise<Changed>;
}

/** The task as it then is, and whether it was this change that made it so. */
export interface Changed {
  readonly task: TaskRecord;
  readonly changed: boolean;
}

export function createWriter(
  store: TaskStore,
  hub: Hub,
  clock: Clock,
  onStatus?: (task: TaskSummary) => void,
): Writer {
  async function read(key: TaskKey): Promise<TaskRecord> {
    const record = await store.get(key);
    if (record === undefined || expiresAt(record) <= clock.now()) throw unknownTask();
    return record;
  }

  return {
    read,
    async change(key, decide, known) {
      let record = known ?? (await read(key));
      for (;;) {
        const patch = decide(record);
        if (patch === undefined) return { task: record, changed: false };
        const next = advance(record, patch, clock.now());
        if (await store.update(next)) {
          hub.changed(next);
          if (next.status !== record.status) onStatus?.(next);
          return { task: next, changed: true };
        }
        record = await read(key);
        // Whoever changed it may be another process, or this one by a write whose answer was lost.
        hub.changed(record);
      }
    },
  };
}
