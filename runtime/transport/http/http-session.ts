import type { LazyAbort, Peer } from '../../peer/index.js';
import { DIALECT_VERSIONS, REVISIONS, type RevisionVersion } from '../../protocol/index.js';
import { merged } from '../../tasks/index.js';
import { OutgoingQueue } from '../queue/outgoing.js';
import type { Origin, Served, ServedSession } from '../served.js';
import { type Events, EVENT_HEADERS } from './events.js';
import { Refused } from './refused.js';
import type { PostPlace } from './post-channel.js';
import { BAD_REQUEST, JSON_HEADERS, type ReplyHeaders } from './reply.js';
import type { StreamOwner, StreamTerms } from './session-stream.js';
import { SessionStreams } from './session-streams.js';
import { statusOfRefusal } from './statuses.js';

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
    const version = this.session.revision?.version as RevisionVersion | undefined;
    return version !== undefined && REVISIONS[version].batches;
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
