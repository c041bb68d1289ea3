import { type Channel, connectionClosed, LazyAbort } from '../../peer/index.js';
import type { JsonObject } from '../../tasks/index.js';
import type { Backlog } from '../queue/backlog.js';
import { OutgoingQueue } from '../queue/outgoing.js';
import { later, type Timer } from '../timers.js';
import { type EventOwner, type Histories, History } from './history.js';
import { type Events, frameOf } from './post-channel.js';
import type { ReplyHeaders, StreamReply } from './reply.js';

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
    this.gone.abortFor(connectionClosed);
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

export interface StreamTerms {
  readonly backlog: Backlog;
  readonly keepAliveMs: number;
  /** Milliseconds for which a client that has disconnected may come back before it counts as gone. */
  readonly resumeMs: number;
  readonly histories: Histories;
}

/** The session that streams belong to. */
export interface StreamOwner {
  readonly eventHeaders: ReplyHeaders;
  /** Whether streams begin with an event without data, which older clients do not understand. */
  readonly primes: boolean;
  onTooSlow(): void;
  /** A stream has a reader, or has lost one. */
  attached(change: 1 | -1): void;
}

/** The streams of one session. */
interface StreamSet {
  readonly terms: StreamTerms;
  readonly owner: StreamOwner;
  readonly history: History;
  readonly prefix: string;
  /** Its client has disconnected, and may come back. */
  detached(stream: SessionStream): void;
  /** It has a reader again, or is given up. */
  settled(stream: SessionStream): void;
  forget(stream: SessionStream): void;
}

/** Milliseconds after which a client that was disconnected comes back. */
const RETRY_MS = 3_000;
/** Hosts send the head of a stream with its first bytes. */
const NOTHING = ':\n\n';

/** A stream of a session, whose client may disconnect and come back. */
class SessionStream implements Events, EventOwner {
  readonly number: number;
  readonly #streams: StreamSet;
  /** Whether a POST has opened it, else a GET. */
  readonly #isOfPost: boolean;
  /** That of the POST, until the stream ends: it leads to the request, which kept events must not keep. */
  #gone: LazyAbort | undefined;
  #queue: OutgoingQueue | undefined;
  /** The place of the last event. */
  #last = 0;
  /** Events up to this place cannot be sent again. */
  #dropped = 0;
  #kept = 0;
  #isEnded = false;
  #departure: Timer | undefined;

  constructor(streams: StreamSet, number: number, gone: LazyAbort | undefined) {
    this.#streams = streams;
    this.number = number;
    this.#isOfPost = gone !== undefined;
    this.#gone = gone;
  }

  get isAttached(): boolean {
    return this.#queue !== undefined;
  }

  get reply(): StreamReply {
    if (this.#queue === undefined) throw new Error('The stream has no reader');
    const headers = this.#streams.owner.eventHeaders;
    return { status: 200, headers, stream: this.#queue };
  }

  resumesAfter(place: number): boolean {
    return place >= this.#dropped && place <= this.#last;
  }

  /** Begins to be read, or goes on after the event of this place. A reader that there was ends. */
  attach(after?: number): void {
    const { terms, owner } = this.#streams;
    const earlier = this.#queue;
    const queue = new OutgoingQueue({
      backlog: terms.backlog,
      onTooSlow: () => owner.onTooSlow(),
      onClosed: () => this.#left(queue),
    });
    this.#queue = queue;
    owner.attached(1);
    clearTimeout(this.#departure);
    this.#streams.settled(this);
    earlier?.end();
    earlier?.close();
    const opening = this.#opening(after);
    if (opening !== '') void queue.push(opening);
    const missed = after === undefined ? [] : this.#streams.history.after(this, after);
    for (const frame of missed) void queue.push(frame);
    if (this.#isEnded) queue.end();
    else queue.keepAlive(terms.keepAliveMs);
  }

  send(message: JsonObject, text: string): Promise<void> | undefined {
    if (this.#isEnded) return undefined;
    this.#last += 1;
    const frame = frameOf(text, this.#idOf(this.#last));
    this.#kept += 1;
    this.#streams.history.keep(this, this.#last, frame);
    return this.#queue?.push(frame, message);
  }

  /** Its last events are kept. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearTimeout(this.#departure);
    this.#streams.settled(this);
    this.#queue?.end();
    this.#gone = undefined;
    this.#forgetIfOver();
  }

  dropped(place: number): void {
    this.#dropped = place;
    this.#kept -= 1;
    this.#forgetIfOver();
  }

  /** The client does not count as one that may come back any more, though it may. */
  giveUp(): void {
    clearTimeout(this.#departure);
    this.#streams.settled(this);
    this.#gone?.abortFor(connectionClosed);
    if (!this.#isOfPost) this.#streams.forget(this);
  }

  #opening(after: number | undefined): string {
    const isNew = after === undefined;
    if (!isNew || !this.#streams.owner.primes) return isNew && this.#isOfPost ? '' : NOTHING;
    return `id: ${this.#idOf(0)}\nretry: ${RETRY_MS}\ndata: \n\n`;
  }

  #idOf(place: number): string {
    return `${this.#streams.prefix}.${this.number}.${place}`;
  }

  /** A reader has all, has left, or is too slow. */
  #left(queue: OutgoingQueue): void {
    this.#streams.owner.attached(-1);
    if (this.#queue !== queue) return;
    this.#queue = undefined;
    if (this.#isEnded) return;
    this.#streams.detached(this);
    if (!this.#isOfPost) return;
    this.#departure = later(this.#streams.terms.resumeMs, () => this.giveUp());
  }

  #forgetIfOver(): void {
    if (this.#isEnded && this.#kept === 0) this.#streams.forget(this);
  }
}
