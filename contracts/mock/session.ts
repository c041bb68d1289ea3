import {
  type Channel,
  ConnectionClosed,
  type Exchange,
  type Peer,
} from '../../runtime/peer/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import type { Origin, ServedSession } from '../../runtime/transport/index.js';
import type { Revision } from '../../runtime/peer/wire/revision.js';

export type MockOrigin = Origin<undefined, MockSession>;

/** What answers a client that the recording does not answer. */
export interface Backing {
  /** The client has begun with a handshake that is answered already. */
  begin(params: JsonObject): void;
  /** Resolves with the result. What is sent and asked meanwhile belongs to the request of the client. */
  answer(request: Asked): Promise<JsonObject>;
  close(): void;
}

/** A request of a client, while it is answered. */
export interface Asked {
  readonly method: string;
  readonly params: JsonObject;
  readonly exchange: Exchange<MockOrigin>;
}

/** What a client was answered so far: equal requests get their answers in order. */
export class Cursors {
  readonly #last = new Map<string, number>();
  /** The requests that exchanges were played for. */
  readonly #played = new Map<number, string>();

  get(key: string): number | undefined {
    return this.#last.get(key);
  }

  set(key: string, exchange: number, asked: string): void {
    this.#last.set(key, exchange);
    this.#played.set(exchange, asked);
  }

  /** Whether an exchange was played for another request, which differs from this one in its secrets alone. */
  isOfOther(exchange: number, asked: string): boolean {
    return (this.#played.get(exchange) ?? asked) !== asked;
  }
}

/** A client that began with a handshake. */
export class MockSession implements ServedSession<undefined, MockSession> {
  readonly id: string | undefined;
  readonly peer: Peer<MockOrigin>;
  readonly cursors = new Cursors();
  readonly behind: Backing;
  revision: Revision | undefined;
  clientCapabilities: JsonObject = {};
  /** Resolves when the client has said that the handshake is over. */
  readonly begun: Promise<void>;
  readonly #standalone: Channel;

  constructor(
    id: string | undefined,
    standalone: Channel,
    peer: Peer<MockOrigin>,
    behind: Backing,
    begun: Promise<void>,
  ) {
    this.begun = begun;
    this.id = id;
    this.#standalone = standalone;
    this.peer = peer;
    this.behind = behind;
    peer.onClosed(() => behind.close());
  }

  get isOver(): boolean {
    return this.revision === undefined || this.peer.isClosed;
  }

  /** Sends a notification that belongs to no open request. */
  async notify(method: string, params: JsonObject): Promise<void> {
    if (this.revision === undefined || this.peer.isClosed) return;
    await this.peer.notifyOn(this.#standalone, this.revision, method, params);
  }

  /** Asks the client what belongs to no open request. */
  async ask(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    if (this.revision === undefined) throw new ConnectionClosed();
    return this.peer.askOn(this.#standalone, this.revision, method, params, { signal });
  }
}
