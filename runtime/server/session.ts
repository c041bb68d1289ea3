import {
  type AskOptions,
  type Channel,
  ConnectionClosed,
  Peer,
  type PeerOptions,
} from '../peer/index.js';
import type { JsonObject } from '../tasks/index.js';
import type { Origin, ServedSession } from '../transport/index.js';
import type { StatusNotifier } from '../wire/status-notifier.js';
import type { Revision } from '../wire/revision.js';
import type { AuthInfo } from './auth-info.js';
import { Elicitations } from './elicitations.js';

/** Where a message to a server comes from. */
export type ServerOrigin = Origin<AuthInfo | undefined, Session>;

/** What a server remembers of one client, from its handshake until the connection closes. */
export class Session implements ServedSession<AuthInfo | undefined, Session> {
  readonly id: string | undefined;
  readonly peer: Peer<ServerOrigin>;
  /** Settled by the handshake; undefined before. */
  revision: Revision | undefined;
  clientCapabilities: JsonObject = {};
  clientInfo: JsonObject = {};
  /** The least severe level of log messages that the client wants; undefined for the server's choice. */
  logLevel: string | undefined;
  /** URIs of resources whose changes the client wants to know. */
  readonly resources = new Set<string>();
  /** Questions by URL that tasks have put to the client, until the user is done on their pages. */
  readonly elicitations = new Elicitations();
  /** Announces changes of the tasks that the session created. */
  taskNotifier: StatusNotifier | undefined;
  readonly #standalone: Channel;

  constructor(id: string | undefined, standalone: Channel, options: PeerOptions<ServerOrigin>) {
    this.id = id;
    this.#standalone = standalone;
    this.peer = new Peer(options);
  }

  /** Sends a notification that belongs to no request. Does nothing before the handshake. */
  notify(method: string, params: JsonObject = {}): Promise<void> {
    if (this.revision === undefined || this.peer.isClosed) return Promise.resolve();
    return this.peer.notifyOn(this.#standalone, this.revision, method, params);
  }

  /** Asks the client a question that belongs to no request. Rejects before the handshake. */
  async ask(method: string, params: JsonObject, options?: AskOptions): Promise<JsonObject> {
    if (this.revision === undefined) throw new ConnectionClosed();
    return this.peer.askOn(this.#standalone, this.revision, method, params, options);
  }
}
