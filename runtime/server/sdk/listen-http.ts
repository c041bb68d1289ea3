import type { AuthInfo, McpHttpHandler } from '@modelcontextprotocol/server';

import { METHODS } from '../../protocol/index.js';
import { type JsonObject, overLimit } from '../../tasks/index.js';
import type { Backlog } from './backlog.js';
import { COMMENT, every, frameOf, isEventStream, readFrames } from './event-stream.js';
import { paced } from './paced.js';
import type { TaskFeed, TaskSubscriptions } from './task-subscriptions.js';

type Fetch = McpHttpHandler['fetch'];

/** Suggested to a client when too many streams are open. */
const RETRY_AFTER_MS = 10_000;

export interface ListenOptions {
  readonly backlog: Backlog;
  /** Called when a stream ends because its reader is too slow. */
  readonly onTooSlow: (authInfo: AuthInfo | undefined) => void;
  /** The answer to a request whose tasks cannot be followed. */
  readonly refuse: (id: unknown, error: unknown) => Response;
  /** Subscriptions that name tasks. */
  readonly maxStreams: number;
  /** Milliseconds between comments on a stream on which nothing else is sent. */
  readonly keepAliveMs: number;
}

/**
 * Serves `subscriptions/listen` with `taskIds` over HTTP, which the SDK does not support. The SDK checks the
 * request first and answers with a stream; the notifications about tasks are merged into that stream.
 */
export function listenOverHttp(
  subscriptions: TaskSubscriptions | undefined,
  inner: Fetch,
  { backlog, refuse, maxStreams, keepAliveMs, onTooSlow }: ListenOptions,
): { readonly fetch: Fetch; readonly close: () => void } {
  const streams = new Set<() => void>();

  const fetch: Fetch = async (request, options = {}) => {
    const message = options.parsedBody;
    const pace = { request, backlog, onTooSlow: () => onTooSlow(options.authInfo) };
    if (!subscriptions?.names(message)) {
      const response = await inner(request, options);
      if (response.body === null || !isEventStream(response)) return response;
      return new Response(paced(response.body, { ...pace, waits: false }), response);
    }
    const accepted = await inner(request, options);
    if (accepted.body === null || !isEventStream(accepted)) return accepted;
    const changes = createSignal();
    try {
      const ids = subscriptions.idsIn(message);
      if (streams.size >= maxStreams) {
        throw overLimit('maxSubscriptions', maxStreams, RETRY_AFTER_MS);
      }
      const feed = await subscriptions.open(
        ids,
        { id: message['id'], authInfo: options.authInfo },
        changes.notify,
      );
      const merged = merge(
        accepted.body,
        feed,
        message['id'],
        changes,
        request,
        streams,
        keepAliveMs,
      );
      return new Response(paced(merged, { ...pace, waits: true }), accepted);
    } catch (error) {
      await accepted.body.cancel();
      return refuse(message['id'], error);
    }
  };

  return {
    fetch,
    close() {
      for (const end of streams) end();
    },
  };
}

/** Wakes the one reader that waits, or the next that will. */
interface Signal {
  readonly notify: () => void;
  readonly wait: () => Promise<void>;
}

function createSignal(): Signal {
  let notified = false;
  let wake: (() => void) | undefined;
  return {
    notify() {
      notified = true;
      wake?.();
    },
    async wait() {
      if (!notified) await new Promise<void>((resolve) => (wake = resolve));
      notified = false;
      wake = undefined;
    },
  };
}

function merge(
  source: ReadableStream<Uint8Array>,
  feed: TaskFeed,
  subscriptionId: unknown,
  changes: Signal,
  request: Request,
  streams: Set<() => void>,
  keepAliveMs: number,
): ReadableStream<Uint8Array> {
  const frames: string[] = [];
  const abort = new AbortController();
  let sourceOver = false;
  let ending = false;
  let closing: string | undefined;

  function take(frame: string, message: JsonObject | undefined): void {
    // Comments of the SDK end with its own stream; those of the merged stream go on.
    if (message === undefined) return;
    if (message['method'] === METHODS.notificationsSubscriptionsAcknowledged) {
      frames.push(frameOf(feed.acknowledged(message)));
    } else if (message['id'] === subscriptionId) {
      // The SDK ends its stream here, but tasks may still change: its answer is sent at the end.
      closing = frame;
    } else if (!frames.includes(frame)) {
      // A slow reader needs the notification that a list has changed only once.
      frames.push(frame);
    }
    changes.notify();
  }

  async function next(): Promise<string | undefined> {
    const frame = frames.shift();
    if (frame !== undefined) return frame;
    const notification = await feed.next();
    return notification && frameOf(notification);
  }

  const keepAlive = every(keepAliveMs, () => {
    // A reader with frames to read needs no keep-alive.
    if (frames.length === 0) frames.push(COMMENT);
    changes.notify();
  });

  const end = (): void => {
    ending = true;
    changes.notify();
  };
  const release = (): void => {
    // Also keeps the request, without which Node would collect the controller of its signal.
    request.signal.removeEventListener('abort', release);
    clearInterval(keepAlive);
    streams.delete(end);
    feed.close();
    abort.abort();
    changes.notify();
  };
  streams.add(end);
  request.signal.addEventListener('abort', release, { once: true });
  void readFrames(source, abort.signal, take).finally(() => {
    sourceOver = true;
    changes.notify();
  });

  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const frame = abort.signal.aborted ? undefined : await next();
          if (frame !== undefined && !abort.signal.aborted) {
            return controller.enqueue(encoder.encode(frame));
          }
          const done = sourceOver && (feed.over || ending);
          if (done || abort.signal.aborted) {
            if (closing !== undefined && !abort.signal.aborted) {
              controller.enqueue(encoder.encode(closing));
            }
            release();
            return controller.close();
          }
          await changes.wait();
        }
      },
      cancel: release,
    },
    { highWaterMark: 0 },
  );
}
