import type { AuthInfo } from './auth/index.js';
import {
  type AskOptions,
  type Channel,
  ConnectionClosed,
  declares,
  type Exchange,
  Peer,
  type PeerOptions,
  type Rows,
  type RowsOf,
} from '../peer/index.js';
import { EXTENSION_ID, META_KEYS, METHODS, type RevisionVersion } from '../protocol.js';
import { type Dialect, elicitationOf, type InputEntry, type JsonObject } from '../tasks/index.js';
import type { Origin, ServedSession } from '../transport/index.js';
import { related, type StatusNotifier } from '../peer/wire/core-task.js';
import { at, isObject, member } from '../peer/wire/json.js';
import type { VersionOf } from '../peer/wire/messages.js';
import type { Revision } from '../peer/wire/revision.js';

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

/** A request to a server, until its answer. */
export type ServerExchange = Exchange<ServerOrigin>;
export type ServerRows = Rows<ServerOrigin>;
/** All methods of a feature, in each of the revisions that have it. */
export type FeatureRows<F, V extends RevisionVersion = RevisionVersion> = RowsOf<
  ServerOrigin,
  'server',
  F,
  V
>;
/**
 * The methods of a dialect that no capability declares. `completion/complete` is one in 2024-11-05, and has the row of its
 * feature.
 */
export type BaseRows<D extends Dialect> = Omit<
  FeatureRows<'always', VersionOf<D>>,
  typeof METHODS.completionComplete
>;

/** What the client declares that it can do: in the handshake of its session, else with each request. */
export function clientCapabilitiesOf({ origin, meta }: ServerExchange): JsonObject {
  const { session } = origin;
  if (session !== undefined) return session.clientCapabilities;
  const declared = member(meta, META_KEYS.clientCapabilities);
  return isObject(declared) ? declared : {};
}

/** Whether capabilities declare the tasks extension. Those of other requests of the client do not count. */
export function declaresTasks(capabilities: unknown): boolean {
  return isObject(at(capabilities, ['extensions', EXTENSION_ID]));
}

/** More than any client has open. */
const MOST = 1_000;

/** The questions by URL that a client was asked, by their ids: no other client may be told that they are over. */
class Elicitations {
  readonly #ids = new Set<string>();

  /** Remembers a question that goes to the client. */
  asked(entry: InputEntry): void {
    const id = elicitationOf(entry);
    if (id === undefined) return;
    this.#ids.add(id);
    for (const oldest of this.#ids) {
      if (this.#ids.size <= MOST) return;
      this.#ids.delete(oldest);
    }
  }

  /** Those of the questions on whose pages the user is done. Each is returned once. */
  completedIn(input: readonly InputEntry[]): string[] {
    if (this.#ids.size === 0) return [];
    return input
      .filter(({ completed }) => completed)
      .flatMap((entry) => elicitationOf(entry) ?? [])
      .filter((id) => this.#ids.delete(id));
  }
}

const COMPLETED = METHODS.notificationsElicitationComplete;

/**
 * Tells the client of a request that the user is done on the page of a question by URL: on the request's stream, and in
 * its session when it is answered. Does nothing where the revision lacks it, or the client cannot be asked by URL.
 */
export async function announceCompleted(
  exchange: ServerExchange,
  elicitationId: string,
  taskId?: string,
): Promise<void> {
  const { revision, origin, isOver } = exchange;
  const info = revision.notifications[COMPLETED];
  if (info === undefined) return;
  if (!declares(info.capabilities, 'client', clientCapabilitiesOf(exchange))) return;
  const params = taskId === undefined ? { elicitationId } : related({ elicitationId }, taskId);
  await (isOver ? origin.session?.notify(COMPLETED, params) : exchange.notify(COMPLETED, params));
}
