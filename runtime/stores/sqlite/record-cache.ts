import type { TaskKey, TaskRecord } from '../../tasks/index.js';

/** Tasks as they are stored, in memory: a poll of one of them reads no row. */
export interface RecordCache {
  get(key: TaskKey): TaskRecord | undefined;
  /** Without effect when a newer version is there. */
  set(record: TaskRecord): void;
  delete(key: TaskKey): void;
}

/** Characters of all tasks together. */
const CAPACITY = 4_000_000;
/** Larger tasks are read from the file each time. */
const LARGEST = 100_000;
/** About what a task without payloads takes. */
const FIXED = 1_000;

/**
 * Beyond its capacity it drops the tasks that were stored longest ago. `dataVersion` changes when another
 * connection has written: then it drops them all.
 */
export function createRecordCache(dataVersion: () => unknown, capacity = CAPACITY): RecordCache {
  // Ids are unique among all owners and dialects.
  const records = new Map<string, TaskRecord>();
  let size = 0;
  let version = dataVersion();
  let checked = false;

  /** Once a turn of the event loop: the requests that a turn handles had arrived when it began. */
  function check(): void {
    if (checked) return;
    checked = true;
    setImmediate(() => (checked = false));
    const found = dataVersion();
    if (found === version) return;
    version = found;
    records.clear();
    size = 0;
  }

  function remove(id: string): void {
    const record = records.get(id);
    if (record === undefined) return;
    records.delete(id);
    size -= sizeOf(record);
  }

  return {
    get({ owner, dialect, id }) {
      check();
      const record = records.get(id);
      return record?.owner === owner && record.dialect === dialect ? record : undefined;
    },
    set(record) {
      if ((records.get(record.id)?.version ?? 0) > record.version) return;
      remove(record.id);
      const added = sizeOf(record);
      if (added > LARGEST) return;
      records.set(record.id, record);
      size += added;
      for (const id of records.keys()) {
        if (size <= capacity) return;
        remove(id);
      }
    },
    delete: ({ id }) => remove(id),
  };
}

function sizeOf({ args, input, steps, outcome = '', statusMessage = '' }: TaskRecord): number {
  let size = FIXED + args.length + outcome.length + statusMessage.length;
  for (const { params, answer = '' } of input) size += FIXED + params.length + answer.length;
  for (const { result = '' } of steps) size += FIXED + result.length;
  return size;
}
