import { asCallError, retryAfter } from './errors.js';
import type { Listener, Listening } from './listen.js';
import { pause } from './pacing.js';
import { isId } from './reference.js';

/** Streams that are open at a time. Each covers many tasks. */
const MAX_STREAMS = 4;
/** Task ids of one stream. The client polls those that the server does not accept. */
const TASKS_PER_STREAM = 500;
/** Milliseconds before the client reopens a lost stream. */
const REOPEN_AFTER = 5_000;

/** One task of a subscription. */
export interface Follower {
  /** Whether the server accepted the task on an open stream. */
  readonly isNotified: boolean;
  end(): void;
}

/** Subscribes to task notifications of the server (extension dialect). */
export interface Subscriptions {
  follow(taskId: string): Follower;
  close(): void;
}

interface Stream {
  readonly taskIds: Set<string>;
  accepted: ReadonlySet<string>;
  subscription: Listening | undefined;
}

/**
 * Collects new tasks while a stream is being opened, and opens the next stream with all of them. When
 * `MAX_STREAMS` are open, it reopens the smallest stream with more tasks.
 */
export function createSubscriptions(listener: Listener): Subscriptions {
  /** The tasks whose calls have not ended. */
  const followed = new Set<string>();
  const wanted = new Set<string>();
  const streams = new Set<Stream>();
  let opening: Stream | undefined;
  let refused = false;
  /** The server asked the client to wait before it opens another stream. */
  let resting = false;

  async function open(): Promise<void> {
    if (opening !== undefined || refused || resting || wanted.size === 0) return;
    const replaced = streams.size < MAX_STREAMS ? undefined : smallest(streams);
    if (replaced !== undefined && replaced.taskIds.size >= TASKS_PER_STREAM) return;
    const kept = [...(replaced?.taskIds ?? [])];
    const added = [...wanted].slice(0, TASKS_PER_STREAM - kept.length);
    for (const id of added) wanted.delete(id);
    const stream: Stream = {
      taskIds: new Set([...kept, ...added]),
      accepted: new Set(),
      subscription: undefined,
    };
    streams.add(stream);
    opening = stream;
    try {
      const subscription = await listener.open({ taskIds: [...stream.taskIds] });
      stream.subscription = subscription;
      const { taskIds } = subscription.accepted;
      if (Array.isArray(taskIds)) stream.accepted = new Set((taskIds as unknown[]).filter(isId));
      // A server that does not support task ids leaves them out.
      else refused = true;
      if (!streams.has(stream)) subscription.close();
      void subscription.closed.then((cause) => {
        drop(stream);
        if (cause === 'remote') reopen(stream.taskIds);
      });
    } catch (error) {
      // Calls do not depend on the stream, because they poll.
      const failure = asCallError(error);
      const delay = retryAfter(failure);
      if (delay > 0) rest(stream.taskIds, delay);
      else refused ||= failure.reason === 'rpc_error';
      drop(stream);
    }
    // The tasks of a stream may end before the server acknowledges it.
    if (refused || stream.taskIds.size === 0) drop(stream);
    if (replaced !== undefined) drop(replaced);
    opening = undefined;
    void open();
  }

  function drop(stream: Stream): void {
    if (!streams.delete(stream)) return;
    stream.subscription?.close();
    stream.accepted = new Set();
  }

  /** Reopens a lost stream after a delay. Until then its tasks are polled. */
  function reopen(taskIds: ReadonlySet<string>, delay = REOPEN_AFTER): void {
    pause(delay, () => {
      for (const id of taskIds) if (followed.has(id)) wanted.add(id);
      void open();
    });
  }

  /** Opens no stream until the server may have room for it. */
  function rest(taskIds: ReadonlySet<string>, delay: number): void {
    resting = true;
    pause(delay, () => (resting = false));
    reopen(taskIds, delay);
  }

  return {
    follow(taskId) {
      followed.add(taskId);
      wanted.add(taskId);
      void open();
      return {
        get isNotified() {
          for (const { accepted } of streams) if (accepted.has(taskId)) return true;
          return false;
        },
        end() {
          followed.delete(taskId);
          wanted.delete(taskId);
          for (const stream of streams) {
            if (stream.taskIds.delete(taskId) && stream.taskIds.size === 0 && stream.subscription) {
              drop(stream);
            }
          }
          void open();
        },
      };
    },
    close() {
      wanted.clear();
      refused = false;
      for (const stream of streams) drop(stream);
    },
  };
}

function smallest(streams: ReadonlySet<Stream>): Stream | undefined {
  return [...streams].sort((a, b) => a.taskIds.size - b.taskIds.size)[0];
}
