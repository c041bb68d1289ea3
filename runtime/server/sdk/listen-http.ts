import type { McpHttpHandler } from '@modelcontextprotocol/server';

import { ERROR_CODES } from '../../../generated/2026-07-28/protocol.js';
import { METHODS } from '../../protocol/index.js';
import type { JsonObject } from '../../tasks/index.js';
import type { Backlog } from './backlog.js';
import { COMMENT, every, frameOf, isEventStream, readFrames } from './event-stream.js';
import { paced } from './paced.js';
import { rpcError } from './protocol-error.js';
import type { TaskFeed, TaskSubscriptions } from './task-subscriptions.js';

type Fetch = McpHttpHandler['fetch'];

export interface ListenOptions {
  readonly backlog: Backlog;
  /** The answer to a request whose tasks cannot be followed. */
  readonly refuse: (id: unknown, error: unknown) => Response;
  /** Subscriptions that name tasks. */
  readonly maxStreams: number;
  /** Milliseconds between comments on a stream on which nothing else is sent. */
  readonly keepAliveMs: number;
}

/**
 * Serves `subscriptions/listen` with `taskIds` over HTTP, which the SDK does not know: it judges the
 * request first and answers with its stream, into which the tasks' notifications are woven.
 */
export function listenOverHttp(
  subscriptions: TaskSubscriptions,
  inner: Fetch,
  { backlog, refuse, maxStreams, keepAliveMs }: ListenOptions,
): { readonly fetch: Fetch; readonly close: () => void } {
  const streams = new Set<() => void>();

  const fetch: Fetch = async (request, options = {}) => {
    const message = options.parsedBody;
    if (!subscriptions.names(message)) {
      const response = await inner(request, options);
      if (response.body === null || !isEventStream(response)) return response;
      return new Response(paced(response.body, { request, backlog, waits: false }), response);
    }
    const judged = await inner(request, options);
    if (judged.body === null || !isEventStream(judged)) return judged;
    const news = createBell();
    try {
      const ids = subscriptions.idsIn(message);
      if (streams.size >= maxStreams) {
        throw rpcError(ERROR_CODES.InternalError, 'Subscription limit reached');
      }
      const feed = await subscriptions.open(
        ids,
        { id: message['id'], authInfo: options.authInfo },
        news.ring,
      );
      const woven = weave(judged.body, feed, message['id'], news, request, streams, keepAliveMs);
      return new Response(paced(woven, { request, backlog, waits: true }), judged);
    } catch (error) {
      await judged.body.cancel();
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

/** Wakes whoever waits, or the next who will. */
interface Bell {
  readonly ring: () => void;
  readonly heard: () => Promise<void>;
}

function createBell(): Bell {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      rung = true;
      wake?.();
    },
    async heard() {
      if (!rung) await new Promise<void>((resolve) => (wake = resolve));
      rung = false;
      wake = undefined;
    },
  };
}

function weave(
  source: ReadableStream<Uint8Array>,
  feed: TaskFeed,
  subscriptionId: unknown,
  news: Bell,
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
    // The SDK ends its own stream, and its comments, when it has nothing to tell beside the tasks.
    if (message === undefined) return;
    if (message['method'] === METHODS.notificationsSubscriptionsAcknowledged) {
      frames.push(frameOf(feed.acknowledged(message)));
    } else if (message['id'] === subscriptionId) {
      // The SDK sees nothing more to tell; the tasks may.
      closing = frame;
    } else if (!frames.includes(frame)) {
      // That something has changed need not be told twice to a reader who is behind.
      frames.push(frame);
    }
    news.ring();
  }

  async function next(): Promise<string | undefined> {
    const frame = frames.shift();
    if (frame !== undefined) return frame;
    const notification = await feed.next();
    return notification && frameOf(notification);
  }

  const keepAlive = every(keepAliveMs, () => {
    // A reader who is behind needs no signs of life.
    if (frames.length === 0) frames.push(COMMENT);
    news.ring();
  });

  const end = (): void => {
    ending = true;
    news.ring();
  };
  const release = (): void => {
    // Also keeps the request, without which Node would collect what aborts its signal.
    request.signal.removeEventListener('abort', release);
    clearInterval(keepAlive);
    streams.delete(end);
    feed.close();
    abort.abort();
    news.ring();
  };
  streams.add(end);
  request.signal.addEventListener('abort', release, { once: true });
  void readFrames(source, abort.signal, take).finally(() => {
    sourceOver = true;
    news.ring();
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
          await news.heard();
        }
      },
      cancel: release,
    },
    { highWaterMark: 0 },
  );
}
