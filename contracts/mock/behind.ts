import { type Channel, LazyAbort, rpcError } from '../../runtime/peer/index.js';
import { ERROR_CODES, METHODS } from '../../runtime/protocol.js';
import type { TaskServer } from '../../runtime/server/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { messageOf } from '../../runtime/tasks/index.js';
import type { Asked, Backing } from './session.js';

/** What a server of the runtime serves. */
export type Serving = ReturnType<TaskServer['serve']>;
type Session = ReturnType<Serving['openSession']>;
type ServerPeer = NonNullable<ReturnType<Serving['requests']>>;

const NOWHERE: Channel = { send: () => undefined, close: () => undefined, gone: new LazyAbort() };

/** A server of the runtime behind a player, which gets the requests of one client that were not recorded. */
export class Behind implements Backing {
  readonly #peer: ServerPeer;
  readonly #session: Session | undefined;

  /** For a client with a session. */
  static ofSession(serving: Serving, standalone: Channel): Behind {
    const session = serving.openSession(undefined, standalone);
    return new Behind(session.peer, session);
  }

  constructor(peer: ServerPeer, session?: Session) {
    this.#peer = peer;
    this.#session = session;
  }

  begin(params: JsonObject): void {
    const completed = { capabilities: {}, clientInfo: UNNAMED, ...params };
    this.#take({ id: 0, method: METHODS.initialize, params: completed }, NOWHERE);
  }

  answer({ exchange, method, params }: Asked): Promise<JsonObject> {
    const { id, gone } = exchange;
    exchange.cancelled.onAbort(() => {
      this.#take({ method: METHODS.notificationsCancelled, params: { requestId: id } }, NOWHERE);
    });
    return new Promise((resolve, reject) => {
      const send = (message: JsonObject): Promise<void> | undefined => {
        const { id: asked, method: sent, params: own, result, error } = message as unknown as Sent;
        if (sent === undefined && error === undefined) resolve(result);
        else if (sent === undefined) reject(rpcError(error.code, error.message, error.data));
        else if (asked === undefined) return exchange.notify(sent, own);
        else {
          exchange.ask(sent, own).then(
            (answer) => this.#take({ id: asked, result: answer }, NOWHERE),
            (why: unknown) => this.#take({ id: asked, error: errorFor(why) }, NOWHERE),
          );
        }
        return undefined;
      };
      this.#take({ id, method, params }, { send, close: () => undefined, gone });
    });
  }

  close(): void {
    this.#peer.close();
  }

  #take(message: JsonObject, channel: Channel): void {
    const origin = { who: undefined, session: this.#session, http: undefined };
    this.#peer.receive({ jsonrpc: '2.0', ...message }, channel, origin);
  }
}

/** For a client that does not name itself. */
const UNNAMED = { name: 'client', version: '0.0.0' };

interface Sent {
  readonly id?: string | number;
  readonly method?: string;
  readonly params: JsonObject;
  readonly result: JsonObject;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

function errorFor(why: unknown): JsonObject {
  return { code: ERROR_CODES.InternalError, message: messageOf(why) };
}
