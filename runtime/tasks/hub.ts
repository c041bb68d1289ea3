import type { Clock } from './clock.js';
import { subjectKeyOf } from './limits.js';
import { overLimit, unknownTask } from './errors.js';
import {
  type Caller,
  expiresAt,
  type Progress,
  type TaskKey,
  type TaskRecord,
  type TaskSummary,
} from './record.js';
import type { TaskStore } from './store.js';
import { advance, type Patch } from './transitions.js';

/** What a listener receives about one task. */
export type TaskEvent =
  | { readonly type: 'changed'; readonly task: TaskRecord }
  | { readonly type: 'progress'; readonly progress: Progress }
  /** Expired and removed, whatever its status was. */
  | { readonly type: 'removed' }
  /** The engine shut down; no event follows. */
  | { readonly type: 'closed' };

export type TaskListener = (event: TaskEvent) => void;

/** Sends listeners in this process the events of their own tasks, each version once and in order. */
export interface Hub {
  /** Throws `limit` when the owner, or all together, have too many. Returns what ends the subscription. */
  subscribe(key: TaskKey, listener: TaskListener): () => void;
  /** A listener of the engine, which counts against no limit. */
  attach(key: TaskKey, listener: TaskListener): () => void;
  changed(task: TaskRecord): void;
  progress(key: TaskKey, progress: Progress): void;
  removed(key: TaskKey): void;
  /** The newest version sent so far, or undefined when there is no listener. */
  seen(key: TaskKey): number | undefined;
  close(): void;
}

interface Topic {
  version: number;
  /** The last one sent: others are greater, as the specification wants it, also after the task was taken over. */
  progress: number;
  readonly listeners: Set<Listening>;
}

interface Listening {
  readonly caller: Caller;
  readonly listener: TaskListener;
}

interface HubLimits {
  readonly listenersPerOwner: number;
  readonly listeners: number;
  /** Suggested to a caller that is refused. */
  readonly retryAfterMs: number;
}

/** Listeners that a subject may have when half of `listeners` are taken. */
const RESERVE = 100;

export function createHub(limits: HubLimits): Hub {
  // Ids are unique among all owners, so a topic is an id. A caller that knows the id of another owner's task listens
  // too, until it reads the task under its full key, which fails.
  const topics = new Map<string, Topic>();
  const perOwner = new Map<string, number>();
  const perSubject = new Map<string, number>();
  let total = 0;

  function count(key: TaskKey, change: 1 | -1): void {
    add(perOwner, key.owner, change);
    add(perSubject, subjectKeyOf(key), change);
    total += change;
  }

  function hasRoom(key: TaskKey): boolean {
    if (total < limits.listeners / 2) return true;
    return total < limits.listeners && (perSubject.get(subjectKeyOf(key)) ?? 0) < RESERVE;
  }

  function attach(key: TaskKey, listener: TaskListener): () => void {
    const { id } = key;
    const own: Listening = { caller: key, listener };
    const topic = topics.get(id) ?? { version: 0, progress: -Infinity, listeners: new Set() };
    topics.set(id, topic);
    topic.listeners.add(own);
    return () => {
      topic.listeners.delete(own);
      if (topic.listeners.size === 0 && topics.get(id) === topic) topics.delete(id);
    };
  }

  function report(key: TaskKey, progress: Progress): void {
    const topic = topics.get(key.id);
    if (topic === undefined || !(progress.progress > topic.progress)) return;
    topic.progress = progress.progress;
    send(key, { type: 'progress', progress });
  }

  function send({ owner, dialect, id }: TaskKey, event: TaskEvent): void {
    for (const { caller, listener } of topics.get(id)?.listeners ?? []) {
      if (caller.owner === owner && caller.dialect === dialect) deliver(listener, event);
    }
  }

  return {
    attach,
    subscribe(key, listener) {
      if ((perOwner.get(key.owner) ?? 0) >= limits.listenersPerOwner) {
        throw overLimit('listenersPerOwner', limits.listenersPerOwner, limits.retryAfterMs);
      }
      if (!hasRoom(key)) throw overLimit('listeners', limits.listeners, limits.retryAfterMs);
      count(key, 1);
      const detach = attach(key, listener);
      let active = true;
      return () => {
        if (!active) return;
        active = false;
        count(key, -1);
        detach();
      };
    },
    changed(task) {
      const topic = topics.get(task.id);
      if (topic === undefined || topic.version >= task.version) return;
      topic.version = task.version;
      // Of a run in another process, only what it writes is known here.
      if (task.progress !== undefined) report(task, task.progress);
      send(task, { type: 'changed', task });
    },
    progress: report,
    removed: (key) => send(key, { type: 'removed' }),
    seen: ({ id }) => topics.get(id)?.version,
    close() {
      for (const { listeners } of topics.values()) {
        for (const { listener } of listeners) deliver(listener, { type: 'closed' });
      }
    },
  };
}

function deliver(listener: TaskListener, event: TaskEvent): void {
  try {
    listener(event);
  } catch {
    // The fault of one listener must not affect the task or the other listeners.
  }
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const left = (counts.get(key) ?? 0) + change;
  if (left === 0) counts.delete(key);
  else counts.set(key, left);
}

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
interface Changed {
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
