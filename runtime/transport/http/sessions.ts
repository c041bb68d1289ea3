import type { LazyAbort, Peer } from '../../peer/index.js';
import { takesBatches } from '../../batches.js';
import { DIALECT_VERSIONS } from '../../protocol.js';
import { merged } from '../../tasks/index.js';
import { OutgoingQueue } from '../queue/outgoing.js';
import type { Origin, Served, ServedSession } from '../served.js';
import { every, type Timer } from '../timers.js';
import type { Incoming } from './incoming.js';
import { EVENT_HEADERS, type Events, type PostPlace, type PostSender } from './post-channel.js';
import {
  BAD_REQUEST,
  JSON_HEADERS,
  refusal,
  type RefusalOptions,
  Refused,
  type ReplyHeaders,
  statusOfRefusal,
  type TextReply,
} from './reply.js';
import { SessionStreams, type StreamOwner, type StreamTerms } from './session-streams.js';

export interface SessionOptions {
  /** Sessions in all; default 10,000. When half of them are taken, a subject gets up to 10. */
  readonly sessions?: number;
  /** Sessions of one owner; default 1,000. */
  readonly sessionsPerOwner?: number;
  /** Milliseconds without a request after which a session ends; default 30 minutes. */
  readonly sessionIdleMs?: number;
  /**
   * The header in which a reverse proxy sends the key that it routes by. The ids of new sessions begin with
   * this key and a dot. Up to 64 letters, digits, `-` and `_`; other values are ignored. Default: none.
   */
  readonly sessionKeyHeader?: string;
}

/** Who makes a request. `W` is what the server knows of them. */
export interface Identified<W> {
  readonly who: W;
  /** What sessions belong to. */
  readonly owner: string;
  /** What sessions are counted by, beside their owner. */
  readonly subject: string;
}

/** Who sends a message. */
export type Sender<W> = Identified<W> & PostSender;

const MINUTE = 60_000;
/** Sessions that a subject may have when half of all are taken. */
const RESERVE = 10;
/** The code of a session that is unknown. */
const NO_SESSION = -32001;

/**
 * The sessions of an endpoint. A session belongs to the owner that opened it and is unknown to others. Tasks belong to
 * owners, not to sessions.
 */
export class Sessions<W, S extends ServedSession<W, S>> {
  readonly #served: Served<W, S>;
  readonly #terms: SessionTerms;
  readonly #options: SessionOptions;
  readonly #sessions = new Map<string, HttpSession<W, S>>();
  readonly #perOwner = new Map<string, number>();
  readonly #perSubject = new Map<string, number>();
  #sweeper: Timer | undefined;

  constructor(served: Served<W, S>, terms: SessionTerms, options: SessionOptions) {
    this.#served = served;
    this.#terms = terms;
    this.#options = options;
  }

  /** Begins a session of which nothing is known yet, or says why there is no room. */
  begin(
    incoming: Incoming,
    { owner, subject }: Identified<W>,
    request: RefusalOptions,
  ): HttpSession<W, S> | TextReply {
    const { sessions: most = 10_000, sessionsPerOwner = 1_000, sessionKeyHeader } = this.#options;
    if ((this.#perOwner.get(owner) ?? 0) >= sessionsPerOwner) {
      return refusal(429, BAD_REQUEST, 'Too many sessions', request);
    }
    if (!this.#hasRoom(subject, most)) {
      return refusal(503, BAD_REQUEST, 'Too many sessions', request);
    }
    const key = keyIn(incoming, sessionKeyHeader);
    const id = key === undefined ? crypto.randomUUID() : `${key}.${crypto.randomUUID()}`;
    const session = new HttpSession(id, owner, this.#served, this.#terms);
    this.#sessions.set(id, session);
    add(this.#perOwner, owner, 1);
    add(this.#perSubject, subject, 1);
    session.peer.onClosed(() => this.#ended(session, subject));
    this.#sweepLater();
    return session;
  }

  /** The session of a request, or why it has none. */
  find(
    incoming: Incoming,
    { owner }: Identified<W>,
    request: RefusalOptions = {},
  ): HttpSession<W, S> | TextReply {
    const id = incoming.header('mcp-session-id');
    if (id === null) {
      return refusal(400, BAD_REQUEST, 'Bad Request: Mcp-Session-Id header is required', request);
    }
    const session = this.#sessions.get(id);
    if (session?.owner === owner) return session;
    return refusal(404, NO_SESSION, 'Session not found', request);
  }

  close(): void {
    for (const { peer } of this.#sessions.values()) peer.close();
  }

  #hasRoom(subject: string, most: number): boolean {
    const { size } = this.#sessions;
    if (size < most / 2) return true;
    return size < most && (this.#perSubject.get(subject) ?? 0) < RESERVE;
  }

  #ended(session: HttpSession<W, S>, subject: string): void {
    this.#sessions.delete(session.id);
    session.end();
    add(this.#perOwner, session.owner, -1);
    add(this.#perSubject, subject, -1);
    if (this.#sessions.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  /** Only while there are sessions: some hosts forbid timers outside of requests. */
  #sweepLater(): void {
    const { sessionIdleMs: idleMs = 30 * MINUTE } = this.#options;
    this.#sweeper ??= every(Math.min(MINUTE, idleMs), () => {
      for (const session of this.#sessions.values()) session.closeIfIdle(idleMs);
    });
  }
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const left = (counts.get(key) ?? 0) + change;
  if (left === 0) counts.delete(key);
  else counts.set(key, left);
}

const KEY = /^[\w-]{1,64}$/;

function keyIn(incoming: Incoming, header: string | undefined): string | undefined {
  const key = header === undefined ? null : incoming.header(header.toLowerCase());
  return key !== null && KEY.test(key) ? key : undefined;
}

export interface SessionTerms extends StreamTerms {
  readonly streamAfterMs: number;
  /** Called when a stream ends because its reader is too slow. */
  readonly onTooSlow: (owner: string) => void;
}

/** A session over HTTP, until its client ends it, or has not used it for long. */
export class HttpSession<W, S extends ServedSession<W, S>> implements PostPlace, StreamOwner {
  readonly id: string;
  readonly owner: string;
  readonly streams: SessionStreams;
  readonly session: S;
  readonly eventHeaders: ReplyHeaders;
  readonly #terms: SessionTerms;
  readonly #served: Served<W, S>;
  readonly #jsonHeaders: ReplyHeaders;
  /** On the monotonic clock, so that setting the machine's time ends no session. */
  #lastUsed = performance.now();
  /** Open requests and streams with readers: a session that has any is not idle. */
  #busy = 0;

  constructor(id: string, owner: string, served: Served<W, S>, terms: SessionTerms) {
    this.id = id;
    this.owner = owner;
    this.#served = served;
    this.#terms = terms;
    const own = { 'mcp-session-id': id };
    this.#jsonHeaders = merged(JSON_HEADERS, own);
    this.eventHeaders = merged(EVENT_HEADERS, own);
    this.streams = new SessionStreams(terms, this);
    this.session = served.openSession(id, this.streams);
  }

  get peer(): Peer<Origin<W, S>> {
    return this.session.peer;
  }

  get streamAfterMs(): number {
    return this.#terms.streamAfterMs;
  }

  /** A client whose handshake failed gets no id. */
  get jsonHeaders(): ReplyHeaders {
    return this.session.revision === undefined ? JSON_HEADERS : this.#jsonHeaders;
  }

  get primes(): boolean {
    return this.session.revision?.version === DIALECT_VERSIONS.core;
  }

  get takesBatches(): boolean {
    return takesBatches(this.session.revision?.version);
  }

  /** Why the version that a request names is not that of the session. */
  refuseVersion(version: string | null): Refused | undefined {
    const spoken = this.session.revision?.version;
    const accepted: readonly string[] = spoken === undefined ? this.#served.versions : [spoken];
    if (version === null || accepted.includes(version)) return undefined;
    const what = `Unsupported protocol version: ${version} (supported versions: ${accepted.join(', ')})`;
    return new Refused(400, BAD_REQUEST, `Bad Request: ${what}`);
  }

  openQueue(): OutgoingQueue {
    return new OutgoingQueue({ backlog: this.#terms.backlog, onTooSlow: () => this.onTooSlow() });
  }

  openEvents(_owner: string, gone: LazyAbort): Events {
    return this.streams.open(gone);
  }

  statusOf(code: unknown, refused: boolean): number {
    return refused && this.session.revision === undefined ? statusOfRefusal(code) : 200;
  }

  /** A request of the session begins. */
  use(): void {
    this.attached(1);
  }

  closed(): void {
    this.attached(-1);
    // A handshake that failed leaves nothing behind.
    if (this.#busy === 0 && this.session.revision === undefined) this.peer.close();
  }

  attached(change: 1 | -1): void {
    this.#busy += change;
    this.#lastUsed = performance.now();
  }

  onTooSlow(): void {
    this.#terms.onTooSlow(this.owner);
  }

  closeIfIdle(idleMs: number): void {
    if (this.#busy === 0 && performance.now() - this.#lastUsed > idleMs) this.peer.close();
  }

  /** The peer has closed. */
  end(): void {
    this.streams.end();
  }
}
