import type { JsonObject } from '../../tasks/index.js';
import type { OutgoingQueue } from '../queue/outgoing.js';
import type { ReplyHeaders, StreamReply } from './reply.js';

/** Milliseconds between keep-alives on every stream. Proxies cut streams that are silent for a minute. */
export const KEEP_ALIVE_MS = 15_000;

export const EVENT_HEADERS: ReplyHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** An event stream that carries messages. */
export interface Events {
  readonly reply: StreamReply;
  /** As `Channel.send`. */
  send(message: JsonObject, text: string): Promise<void> | undefined;
  end(): void;
}

/** The stream of a request without a session. */
export class PlainEvents implements Events {
  readonly reply: StreamReply;
  readonly #queue: OutgoingQueue;

  constructor(queue: OutgoingQueue, keepAliveMs: number) {
    this.#queue = queue;
    queue.keepAlive(keepAliveMs);
    this.reply = { status: 200, headers: EVENT_HEADERS, stream: queue };
  }

  send(message: JsonObject, text: string): Promise<void> | undefined {
    return this.#queue.push(frameOf(text), message);
  }

  end(): void {
    this.#queue.end();
  }
}

/** A message as an event. */
export function frameOf(text: string, id?: string): string {
  const name = id === undefined ? '' : `id: ${id}\n`;
  return `event: message\n${name}data: ${text}\n\n`;
}
