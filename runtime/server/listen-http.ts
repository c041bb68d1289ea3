import type { McpHttpHandler } from '@modelcontextprotocol/server';

import type { JsonObject } from '../tasks/index.js';
import { INTERNAL_ERROR, MISSING_CAPABILITY } from './errors.js';
import { isObject } from '../wire/json.js';
import {
  acknowledged,
  listensToTasks,
  openFeed,
  type TaskFeed,
  taskIdsOf,
  taskNotification,
} from './listen.js';
import { callerOf, type Identification } from './principal.js';
import type { TaskServer } from './server.js';
import { refusal } from './sessions.js';
import { frameOf, isEventStream, readFrames } from './sse.js';

type Fetch = McpHttpHandler['fetch'];

/**
 * Serves `subscriptions/listen` with `taskIds` over HTTP, which the SDK does not know: it judges the
 * request first and answers with its stream, into which the tasks' notifications are woven.
 */
export function listenOverHttp(
  server: TaskServer,
  identification: Identification,
  inner: Fetch,
  maxStreams: number,
): { readonly fetch: Fetch; readonly close: () => void } {
  const streams = new Set<() => void>();

  const fetch: Fetch = async (request, options = {}) => {
    const message = options.parsedBody;
    if (!server.servesExt || !listensToTasks(message) || !isObject(message)) {
      return inner(request, options);
    }
    const judged = await inner(request, options);
    if (judged.body === null || !isEventStream(judged)) return judged;
    const caller = callerOf(identification, 'ext', options.authInfo);
    const news = createBell();
    try {
      const ids = taskIdsOf(message);
      if (streams.size >= maxStreams) {
        throw Object.assign(new Error('Subscription limit reached'), { code: INTERNAL_ERROR });
      }
      const feed = await openFeed(server.engine, caller, ids, news.ring);
      const body = weave(judged.body, feed, message['id'], news, request, streams);
      return new Response(body, judged);
    } catch (error) {
      await judged.body.cancel();
      return refused(message['id'], error);
    }
  };

  return {
    fetch,
    close() {
      for (const end of streams) end();
    },
  };
}

async function refused(id: unknown, error: unknown): Promise<Response> {
  const { code, message, data } = error as { code: number; message: string; data?: unknown };
  const response = refusal(code === MISSING_CAPABILITY ? 400 : 200, code, message, data);
  const body = (await response.json()) as JsonObject;
  return Response.json({ ...body, id }, { status: response.status });
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
): ReadableStream<Uint8Array> {
  const frames: string[] = [];
  const abort = new AbortController();
  let sourceOver = false;
  let ending = false;
  let closing: string | undefined;

  function take(frame: string, message: JsonObject | undefined): void {
    if (message === undefined) {
      // A reader who is behind needs no signs of life.
      if (frames.length === 0) frames.push(frame);
    } else if (message['method'] === 'notifications/subscriptions/acknowledged') {
      frames.push(frameOf(acknowledged(message, feed.accepted)));
    } else if (message['id'] === subscriptionId) {
      // The SDK sees nothing more to tell; the tasks may.
      closing = frame;
    } else if (!frames.includes(frame)) {
      // That something has changed need not be told twice to a reader who is behind.
      frames.push(frame);
    }
    news.ring();
  }

  function next(): string | undefined {
    const frame = frames.shift();
    if (frame !== undefined) return frame;
    const task = feed.next();
    return task && frameOf(taskNotification(task, subscriptionId));
  }

  const end = (): void => {
    ending = true;
    news.ring();
  };
  const release = (): void => {
    // Also keeps the request, without which Node would collect what aborts its signal.
    request.signal.removeEventListener('abort', release);
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
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        const frame = abort.signal.aborted ? undefined : next();
        if (frame !== undefined) return controller.enqueue(encoder.encode(frame));
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
  });
}
