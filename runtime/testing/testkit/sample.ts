import assert from 'node:assert/strict';

import { METHODS } from '../../protocol.js';
import type {
  Caller,
  InsertCaps,
  TaskKey,
  TaskRecord,
  TaskStore,
  TaskSummary,
} from '../../tasks/index.js';

/** Caps that no check reaches. */
export const NO_CAPS: InsertCaps = {
  livePerOwner: 1e9,
  livePerSubject: 1e9,
  liveReserve: 1e9,
  liveShared: 1e9,
  live: 1e9,
  storedPerOwner: 1e9,
  storedPerSubject: 1e9,
};

export const NOW = 1_700_000_000_000;
export const ANN: Caller = { owner: 'ann', dialect: 'core' };
export const BEN: Caller = { owner: 'ben', dialect: 'core' };
export const COMPLETED = { status: 'completed', outcome: '{"result":{}}' } as const;

/** A fresh task, as the engine would insert it; `n` makes its id, and ids sort by it. */
export function sampleTask(n: number, overrides: Partial<TaskRecord> = {}): TaskRecord {
  return {
    ...ANN,
    id: `task-${String(n).padStart(6, '0')}`,
    method: METHODS.toolsCall,
    tool: 'sample',
    status: 'working',
    createdAt: NOW,
    updatedAt: NOW,
    ttl: 60_000,
    pollInterval: 1_000,
    version: 1,
    worker: '',
    fence: 1,
    attempt: 1,
    args: '{"n":1,"text":"\\u0000 \\ud83d\\ude00 \\ud800"}',
    input: [],
    steps: [],
    ...overrides,
  };
}

/** How many insertions ended in each way, by the caps that were exceeded. */
export async function insertTogether(
  store: TaskStore,
  tasks: readonly TaskRecord[],
  caps: InsertCaps,
): Promise<Readonly<Record<string, number>>> {
  const found: Record<string, number> = {};
  for (const result of await Promise.all(tasks.map((task) => store.insert(task, caps)))) {
    const kind = result.kind === 'full' ? result.cap : result.kind;
    found[kind] = (found[kind] ?? 0) + 1;
  }
  return found;
}

/** The record of the next version. */
export function next(task: TaskRecord, change: Partial<TaskRecord> = {}): TaskRecord {
  return { ...task, version: task.version + 1, ...change };
}

/** A record with every field, and with fields that no version has yet, in each of its parts. */
export function fullTask(n: number): TaskRecord {
  const later = { later: { list: [1.5, null, 'x'], text: '"\u0000\ud83d\ude00' } };
  return sampleTask(n, {
    ...later,
    statusMessage: 'a "message"\n',
    progressToken: 7,
    trace: { traceparent: '00-1-2-03' },
    idempotency: { key: 'key', digest: 'digest', ...later },
    retryOf: 'task-000000',
    retriedAs: 'task-000009',
    queued: true,
    history: [{ status: 'working', attempt: 1, at: NOW, ...later }],
    input: [
      { key: 'input-1', method: METHODS.elicitationCreate, params: '{"a":[1.5,null]}', ...later },
    ],
    steps: [{ name: 'step-1', attempt: 1, result: '{"a":"\\u0000"}', at: NOW, ...later }],
  });
}

/** The task without its payloads. */
function summaryOf(record: TaskRecord): TaskSummary {
  const { args: _, input: __, steps: ___, outcome: ____, ...summary } = record;
  return summary;
}

/** A store may return more than a summary. */
export function assertSummary(found: TaskSummary | undefined, record: TaskRecord): void {
  assert.ok(found, `${record.id} is missing`);
  assert.deepEqual(summaryOf(found as TaskRecord), summaryOf(record));
}

export async function insertAll(store: TaskStore, tasks: readonly TaskRecord[]): Promise<void> {
  const insertions = await Promise.all(tasks.map((task) => store.insert(task, NO_CAPS)));
  for (const { kind } of insertions) assert.equal(kind, 'inserted');
}

export async function idsOf(
  found: readonly TaskKey[] | Promise<readonly TaskKey[]>,
): Promise<string[]> {
  return (await found).map(({ id }) => id);
}

/** The newest of the caller's tasks. */
export async function listIds(store: TaskStore, caller = ANN, now = NOW): Promise<string[]> {
  return idsOf(store.list(caller, { limit: 99, now }));
}

/** Asserts that the store counts exactly so many live and stored tasks of an owner. */
export async function assertCounts(
  store: TaskStore,
  owner: string,
  { live, stored }: { readonly live: number; readonly stored: number },
): Promise<void> {
  const probe = (n: number) => sampleTask(900_000 + n, { owner, ttl: 1 });
  const limits = { livePerOwner: live, storedPerOwner: stored } as const;
  for (const [cap, limit] of Object.entries(limits) as [keyof typeof limits, number][]) {
    assert.deepEqual(
      await store.insert(probe(0), { ...NO_CAPS, [cap]: limit }),
      { kind: 'full', cap },
      `The store counts fewer than ${limit} tasks for ${cap}`,
    );
    assert.deepEqual(
      await store.insert(probe(limit + 1), { ...NO_CAPS, [cap]: limit + 1 }),
      { kind: 'inserted' },
      `The store counts more than ${limit} tasks for ${cap}`,
    );
    // It makes room again: what is inserted here is gone.
    await store.expire(NOW + 1, 99);
  }
}
