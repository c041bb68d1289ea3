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
   * Applies the patch that `decide` returns for the task; without a patch, nothing changes. When another
   * change was stored first, decides again. Listeners are called before the promise resolves.
   */
  change(
    key: TaskKey,
    decide: (record: TaskRecord) => Patch | undefined,
    known?: TaskRecord,
  ): Promise<Changed>;
}

/** The task after the change, and whether this call changed it. */
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
        // Another process changed it, or this one by a write whose answer was lost.
        hub.changed(record);
      }
    },
  };
}
