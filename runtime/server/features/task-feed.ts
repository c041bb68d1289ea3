import { METHODS } from '../../protocol.js';
import type { Caller, TaskEngine, TaskRecord } from '../../tasks/index.js';
import { isTerminal, roomFor, TaskError } from '../../tasks/index.js';
import { toDetailedTask } from '../../peer/wire/ext-task.js';
import type { Outbox } from './outbox.js';

/** Puts the states of tasks into an outbox, until the last one has ended. */
export interface TaskFeed {
  /** The tasks that the caller may follow. */
  readonly accepted: readonly string[];
  /** Whether no state follows those that were put. */
  readonly isOver: boolean;
  close(): void;
}

export interface TaskFeedOptions {
  readonly engine: TaskEngine;
  readonly caller: Caller;
  readonly outbox: Outbox;
  /** Called when the last task has ended or was removed. */
  readonly onOver: () => void;
}

/** Tasks that are read at the same time when a feed begins. */
const READ_AT_ONCE = 16;
/** Characters of a result. A task with a longer one is not kept but read again when it is sent. */
const MOST_KEPT = 2 ** 16;

/** Rejects when a task cannot be followed now: a client cannot see in an acknowledgement why one is missing. */
export async function openTaskFeed(
  ids: readonly string[],
  options: TaskFeedOptions,
): Promise<TaskFeed> {
  const feed = new Feed(options);
  try {
    for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
      const found = await Promise.allSettled(
        ids.slice(at, at + READ_AT_ONCE).map((id) => feed.subscribe(id)),
      );
      for (const each of found) if (each.status === 'rejected') throw each.reason;
    }
    return feed;
  } catch (error) {
    feed.close();
    throw error;
  }
}

/** One task, which its caller follows. */
interface Followed {
  /** The newest that was put. */
  version: number;
  over: boolean;
  end: (() => void) | undefined;
}

class Feed implements TaskFeed {
  readonly #options: TaskFeedOptions;
  readonly #followed = new Map<string, Followed>();
  #closed = false;

  constructor(options: TaskFeedOptions) {
    this.#options = options;
  }

  get accepted(): readonly string[] {
    return [...this.#followed.keys()];
  }

  get isOver(): boolean {
    return [...this.#followed.values()].every(({ over }) => over);
  }

  async subscribe(id: string): Promise<void> {
    const { engine, caller } = this.#options;
    const followed: Followed = { version: 0, over: false, end: undefined };
    // An acknowledgement has the ids in the order of the request.
    this.#followed.set(id, followed);
    try {
      const { task, end } = await engine.subscribe(caller, id, (event) => {
        if (event.type === 'changed') this.#put(event.task, followed);
        else if (event.type !== 'progress') this.#stop(followed);
      });
      followed.end = end;
      if (followed.over || this.#closed) return end();
      // The client may rely on this request, so it gets the state from before the request.
      this.#put(task, followed);
    } catch (error) {
      this.#followed.delete(id);
      // Unknown or another owner's: not accepted, and the client does not learn which.
      if (!(error instanceof TaskError && error.reason === 'unknown_task')) throw error;
    }
  }

  close(): void {
    this.#closed = true;
    for (const followed of this.#followed.values()) this.#stop(followed);
  }

  #put(task: TaskRecord, followed: Followed): void {
    const { id, version, status, outcome = '' } = task;
    if (followed.over || version <= followed.version) return;
    followed.version = version;
    const kept = outcome.length <= MOST_KEPT ? task : undefined;
    this.#options.outbox.put(`task ${id}`, async () => {
      const current = kept ?? (await this.#read(id));
      if (current !== undefined) await roomFor(current);
      return current && { method: METHODS.notificationsTasks, params: toDetailedTask(current) };
    });
    if (isTerminal(status)) this.#stop(followed);
  }

  #stop(followed: Followed): void {
    if (followed.over) return;
    followed.over = true;
    followed.end?.();
    if (!this.#closed && this.isOver) this.#options.onOver();
  }

  /** The task as it is now; undefined when it was removed. */
  async #read(id: string): Promise<TaskRecord | undefined> {
    const { engine, caller } = this.#options;
    while (!this.#closed) {
      try {
        return await engine.get(caller, id);
      } catch (error) {
        const wait = error instanceof TaskError ? Number(error.data['retryAfterMs']) : NaN;
        if (!(wait > 0)) return undefined;
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
    return undefined;
  }
}
