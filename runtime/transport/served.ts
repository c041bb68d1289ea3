import type { Channel, Peer, ProtocolError } from '../peer/index.js';
import type { RevisionVersion } from '../protocol.js';
import type { JsonObject } from '../tasks/index.js';
import { member } from '../peer/wire/json.js';
import type { Revision } from '../peer/wire/revision.js';
import type { Incoming } from './http/incoming.js';

/** Where a message came from. `W` is what the server knows of its sender, `S` its session. */
export interface Origin<W, S> {
  readonly who: W;
  /** Undefined for a request without a session. */
  readonly session: S | undefined;
  /** The HTTP request that carried the message; undefined over a pipe. */
  readonly http: Incoming | undefined;
}

/** A session, as a transport needs it. */
export interface ServedSession<W, S> {
  /** Undefined over a pipe. */
  readonly id: string | undefined;
  readonly peer: Peer<Origin<W, S>>;
  /** The one that its handshake settled; undefined before. */
  readonly revision: Revision | undefined;
}

/** What a transport serves. */
export interface Served<W, S extends ServedSession<W, S>> {
  /** The revisions that clients may speak, newest first. */
  readonly versions: readonly RevisionVersion[];
  /**
   * A peer for requests without sessions. Its connection is a pipe, or the HTTP requests of all clients. Undefined where
   * no revision without sessions is offered.
   */
  requests(isPipe: boolean): Peer<Origin<W, S>> | undefined;
  /** Begins a session. `standalone` takes the messages that belong to no request. */
  openSession(id: string | undefined, standalone: Channel): S;
  /** Why a message of a revision without sessions cannot be served: its version is unknown, or not offered. */
  refuseVersion(message: JsonObject): ProtocolError | undefined;
  /** New requests are refused, because the server stops. What `isNew` does not name is served. */
  readonly isDraining?: boolean;
  /** The JSON Schema of a tool's arguments, some of which may be repeated in headers. */
  inputSchemaOf(tool: string): unknown;
}

/** Whether a message begins something: what answers a question of the server goes on with what has begun. */
export function isNew({ id, method, params }: JsonObject): boolean {
  return id !== undefined && method !== undefined && member(params, 'inputResponses') === undefined;
}
