import { type Client, type McpSubscription, ProtocolError } from '@modelcontextprotocol/client';

import { at } from '../wire/json.js';
import { isId } from './reference.js';

/** Streams that are open at a time; each may tell of many tasks. */
const STREAMS = 4;
/** Servers may accept fewer; the rest is polled. */
const TASKS_A_STREAM = 500;
/** Milliseconds after which a stream that was lost is opened anew. */
const REOPEN_AFTER = 5_000;

/** One task among those that a server is asked to tell about. */
export interface Follower {
  /** Whether the server accepted it, on a stream that is open. */
  readonly told: boolean;
  end(): void;
}

/** Asks the server, in the extension, to tell of changes. */
export interface Subscriptions {
  follow(taskId: string): Follower;
  /** A notification as it came: the SDK reads acknowledgements without the tasks in them. */
  hear(notification: { readonly method: string; readonly params?: unknown }): void;
  close(): void;
}

interface Stream {
  readonly asked: Set<string>;
  accepted: ReadonlySet<string>;
  subscription: McpSubscription | undefined;
}

/**
 * While one stream is being opened the tasks that come are gathered for the next, so a thousand tasks
 * take a handful. Where there are as many as may be, the smallest is opened anew, with more tasks.
 */
export function createSubscriptions(client: Client, requestTimeout: number): Subscriptions {
  const wanted = new Set<string>();
  const streams = new Set<Stream>();
  let opening: Stream | undefined;
  let refused = false;

  async function open(): Promise<void> {
    if (opening !== undefined || refused || wanted.size === 0) return;
    const replaced = streams.size < STREAMS ? undefined : smallest(streams);
    if (replaced !== undefined && replaced.asked.size >= TASKS_A_STREAM) return;
    const kept = [...(replaced?.asked ?? [])];
    const added = [...wanted].slice(0, TASKS_A_STREAM - kept.length);
    for (const id of added) wanted.delete(id);
    const stream: Stream = {
      asked: new Set([...kept, ...added]),
      accepted: new Set(),
      subscription: undefined,
    };
    streams.add(stream);
    opening = stream;
    try {
      // The SDK's filter knows no tasks, and lets them through.
      const filter = { taskIds: [...stream.asked] } as object;
      const subscription = await client.listen(filter, { timeout: requestTimeout });
      stream.subscription = subscription;
      if (!streams.has(stream)) await subscription.close();
      void subscription.closed.then((cause) => {
        drop(stream);
        if (cause === 'remote') again(stream.asked);
      });
    } catch (error) {
      // Nothing depends on it: tasks are polled.
      refused ||= error instanceof ProtocolError;
      drop(stream);
    }
    if (refused) drop(stream);
    if (replaced !== undefined) drop(replaced);
    opening = undefined;
    void open();
  }

  function drop(stream: Stream): void {
    if (!streams.delete(stream)) return;
    stream.subscription?.close().catch(() => undefined);
    stream.accepted = new Set();
  }

  /** A stream was lost; its tasks are polled until there is another. */
  function again(asked: ReadonlySet<string>): void {
    setTimeout(() => {
      for (const id of asked) wanted.add(id);
      void open();
    }, REOPEN_AFTER).unref();
  }

  return {
    hear({ method, params }) {
      if (method !== 'notifications/subscriptions/acknowledged' || opening === undefined) return;
      const ids = at(params, ['notifications', 'taskIds']);
      if (Array.isArray(ids)) opening.accepted = new Set((ids as unknown[]).filter(isId));
      // A server that does not know what was asked for leaves it out.
      else refused = true;
    },
    follow(taskId) {
      wanted.add(taskId);
      void open();
      return {
        get told() {
          for (const { accepted } of streams) if (accepted.has(taskId)) return true;
          return false;
        },
        end() {
          wanted.delete(taskId);
          for (const stream of streams) {
            if (stream.asked.delete(taskId) && stream.asked.size === 0 && stream.subscription) {
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
  return [...streams].sort((a, b) => a.asked.size - b.asked.size)[0];
}
