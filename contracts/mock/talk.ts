import type { Channel } from '../../runtime/peer/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import type { Session } from '../../runtime/server/guest.js';
import type { Revision } from '../../runtime/peer/wire/revision.js';
import { uncheckedRevision } from './revisions.js';

/** The params of a message that was recorded without any, which is sent without any. */
export const NO_PARAMS: JsonObject = Object.freeze({});

/** Params as JSON has them: those of a message without any are left out. */
export function sentParams(params: JsonObject): JsonObject {
  return params === NO_PARAMS ? (undefined as never) : params;
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

/** What a mock remembers of a client with a session, to which it sends what belongs to no open request. */
export class Talk {
  readonly cursors = new Cursors();
  /** The revision that a recorded handshake settled, which the runtime may not have. */
  version: string | undefined;
  /** Resolves when the client has said that the handshake is over. */
  readonly begun: Promise<void>;
  begin = (): void => undefined;
  readonly #session: Session;
  readonly #standalone: Channel;

  constructor(session: Session, standalone: Channel) {
    this.#session = session;
    this.#standalone = standalone;
    this.begun = new Promise((resolve) => (this.begin = resolve));
  }

  get isOver(): boolean {
    return this.#session.peer.isClosed;
  }

  async notify(method: string, params: JsonObject): Promise<void> {
    if (this.isOver) return;
    await this.#session.peer.notifyOn(this.#standalone, this.#revision, method, sentParams(params));
  }

  ask(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const { peer } = this.#session;
    return peer.askOn(this.#standalone, this.#revision, method, sentParams(params), { signal });
  }

  get #revision(): Revision {
    return uncheckedRevision(this.version ?? this.#session.revision?.version ?? '');
  }
}
