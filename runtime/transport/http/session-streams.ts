import { type Channel, connectionClosed, LazyAbort } from '../../peer/index.js';
import type { JsonObject } from '../../tasks/index.js';
import type { Events } from './events.js';
import { History } from './history.js';
import {
  SessionStream,
  type StreamOwner,
  type StreamSet,
  type StreamTerms,
} from './session-stream.js';

/** Streams whose clients have disconnected and may come back, in one session. */
const MOST_DETACHED = 16;
const EVENT_ID = /^([\da-f]{8})\.(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,14})$/;

/** The event streams of one session. As a channel, it takes the messages that belong to no request. */
export class SessionStreams implements Channel, StreamSet {
  /** Aborted when the session ends. */
  readonly gone = new LazyAbort();
  readonly terms: StreamTerms;
  readonly owner: StreamOwner;
  readonly history: History;
  /** Tells the ids of events from those of other sessions. */
  readonly prefix = crypto.randomUUID().slice(0, 8);
  readonly #streams = new Map<number, SessionStream>();
  /** Those opened by GET, in that order. */
  readonly #standalone = new Set<SessionStream>();
  readonly #detached = new Set<SessionStream>();
  #opened = 0;

  constructor(terms: StreamTerms, owner: StreamOwner) {
    this.terms = terms;
    this.owner = owner;
    this.history = new History(terms.histories);
  }

  /** The stream of a POST. */
  open(gone: LazyAbort): Events {
    const stream = this.#begin(gone);
    stream.attach();
    return stream;
  }

  /** A stream for messages that belong to no request. */
  openStandalone(): Events {
    const stream = this.#begin(undefined);
    this.#standalone.add(stream);
    stream.attach();
    return stream;
  }

  /**
   * Goes on with the stream of an event, after it. Opens a new one where that is not known in this session, or its later
   * events are not kept any more: a client that is refused would receive nothing ever after.
   */
  resume(eventId: string): Events {
    const [, prefix, number, place] = EVENT_ID.exec(eventId) ?? [];
    const stream = prefix === this.prefix ? this.#streams.get(Number(number)) : undefined;
    if (stream?.resumesAfter(Number(place)) !== true) return this.openStandalone();
    stream.attach(Number(place));
    return stream;
  }

  /**
   * Sends a message that belongs to no request: on the oldest stream that is open, else to where a client may come back.
   * A client that has never opened one does not get it.
   */
  send(message: JsonObject, text: string): Promise<void> | undefined {
    let last: SessionStream | undefined;
    for (const stream of this.#standalone) {
      if (stream.isAttached) return stream.send(message, text);
      last = stream;
    }
    return last?.send(message, text);
  }

  /** Requests do not end it. */
  close(): void {
    // The session outlives each message.
  }

  /** The session has ended. */
  end(): void {
    this.gone.abort(connectionClosed);
    for (const stream of this.#streams.values()) stream.end();
    this.history.clear();
    this.#streams.clear();
    this.#standalone.clear();
    this.#detached.clear();
  }

  detached(stream: SessionStream): void {
    this.#detached.add(stream);
    if (this.#detached.size <= MOST_DETACHED) return;
    const [oldest] = this.#detached;
    oldest?.giveUp();
  }

  /** It has a reader again, or is given up. */
  settled(stream: SessionStream): void {
    this.#detached.delete(stream);
  }

  forget(stream: SessionStream): void {
    this.#streams.delete(stream.number);
    this.#standalone.delete(stream);
    this.#detached.delete(stream);
  }

  #begin(gone: LazyAbort | undefined): SessionStream {
    this.#opened += 1;
    const stream = new SessionStream(this, this.#opened, gone);
    this.#streams.set(stream.number, stream);
    return stream;
  }
}
