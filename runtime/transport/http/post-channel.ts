import type { Channel, LazyAbort } from '../../peer/index.js';
import { type Hold, type JsonObject, nextTurn } from '../../tasks/index.js';
import type { Backlog } from '../queue/backlog.js';
import { SLICE } from '../queue/frames.js';
import { OutgoingQueue } from '../queue/outgoing.js';
import type { Timer } from '../timers.js';
import {
  emptyReply,
  JSON_HEADERS,
  type Reply,
  type ReplyHeaders,
  statusOfError,
  statusOfRefusal,
  type StreamReply,
} from './reply.js';

/** Where a POST goes: to a session, or to none. */
export interface PostPlace {
  /** Those of an answer in JSON. */
  readonly jsonHeaders: ReplyHeaders;
  /** Milliseconds after which the answer gets a stream. */
  readonly streamAfterMs: number;
  /** A queue for an answer in JSON that is too long for one write. */
  openQueue(owner: string): OutgoingQueue;
  /** Opens the stream of a POST. `gone` is that of its channel. */
  openEvents(owner: string, gone: LazyAbort): Events;
  /** The status of an answer that is an error. */
  statusOf(code: unknown, refused: boolean): number;
  /** Nothing more belongs to a POST. */
  closed?(): void;
}

/** Who sends a POST. */
export interface PostSender {
  /** Whom its streams belong to. */
  readonly owner: string;
  /** The body of a large POST, until that is over. */
  readonly hold?: Hold;
}

/** Nginx's status for a client that has disconnected, and reads nothing. */
const UNREAD = emptyReply(499);
const ACCEPTED = emptyReply(202);

/**
 * What belongs to one POST. An answer that comes first is JSON. When something comes before it, or it takes long, it
 * ends an event stream.
 */
export class PostChannel implements Channel {
  readonly gone: LazyAbort;
  readonly #place: PostPlace;
  readonly #sender: PostSender;
  readonly #expectsAnswer: boolean;
  #reply: Reply | undefined;
  #settle: ((reply: Reply) => void) | undefined;
  #events: Events | undefined;
  #late: Timer | undefined;
  #isClosed = false;

  constructor(place: PostPlace, sender: PostSender, gone: LazyAbort, expectsAnswer: boolean) {
    this.#place = place;
    this.#sender = sender;
    this.gone = gone;
    this.#expectsAnswer = expectsAnswer;
  }

  /** Whether there is a stream. Before that, a client that disconnects cannot come back to it. */
  get streams(): boolean {
    return this.#events !== undefined;
  }

  /** To be called once, when the message was received. */
  reply(): Reply | Promise<Reply> {
    if (this.#reply !== undefined) return this.#reply;
    nextTurn(PostChannel.#wait, this);
    return new Promise((resolve) => (this.#settle = resolve));
  }

  send(message: JsonObject, text: string, refused = false): Promise<void> | undefined {
    if (this.#events !== undefined) return this.#events.send(message, text);
    if (this.#reply !== undefined) return undefined;
    if (message['method'] !== undefined) return this.#opened().send(message, text);
    const error = message['error'] as JsonObject | undefined;
    const status = error === undefined ? 200 : this.#place.statusOf(error['code'], refused);
    this.#answer(this.#json(status, text));
    return undefined;
  }

  /** The answer did not come at once, as most do. Static, so that no request makes a function of it. */
  static #wait(this: void, channel: PostChannel): void {
    if (channel.#reply !== undefined) return;
    const { streamAfterMs } = channel.#place;
    channel.#late = setTimeout(PostChannel.#takesLong, streamAfterMs, channel);
  }

  static #takesLong(this: void, channel: PostChannel): void {
    channel.#opened();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#reply === undefined) {
      if (this.gone.aborted) this.#answer(UNREAD);
      else if (this.#expectsAnswer) this.#opened();
      else this.#answer(ACCEPTED);
    }
    this.#events?.end();
    this.#sender.hold?.release();
    this.#place.closed?.();
  }

  #json(status: number, text: string): Reply {
    const headers = this.#place.jsonHeaders;
    if (text.length <= SLICE) return { status, headers, body: text };
    const stream = this.#place.openQueue(this.#sender.owner);
    void stream.push(text);
    stream.end();
    return { status, headers, stream };
  }

  #opened(): Events {
    if (this.#events !== undefined) return this.#events;
    const events = this.#place.openEvents(this.#sender.owner, this.gone);
    this.#events = events;
    this.#answer(events.reply);
    return events;
  }

  #answer(reply: Reply): void {
    this.#reply = reply;
    if (this.#late !== undefined) clearTimeout(this.#late);
    this.#settle?.(reply);
  }
}

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
class PlainEvents implements Events {
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

interface StatelessTerms {
  readonly backlog: Backlog;
  readonly keepAliveMs: number;
  readonly streamAfterMs: number;
  readonly onTooSlow: (owner: string) => void;
}

/** Where requests without sessions go. */
export class Stateless implements PostPlace {
  readonly jsonHeaders: ReplyHeaders = JSON_HEADERS;
  readonly streamAfterMs: number;
  readonly #terms: StatelessTerms;

  constructor(terms: StatelessTerms) {
    this.#terms = terms;
    this.streamAfterMs = terms.streamAfterMs;
  }

  openQueue(owner: string): OutgoingQueue {
    const { backlog, onTooSlow } = this.#terms;
    return new OutgoingQueue({ backlog, onTooSlow: () => onTooSlow(owner) });
  }

  openEvents(owner: string): Events {
    return new PlainEvents(this.openQueue(owner), this.#terms.keepAliveMs);
  }

  statusOf(code: unknown, refused: boolean): number {
    return refused ? statusOfRefusal(code) : statusOfError(code);
  }
}
