import {
  type Channel,
  isRequestId,
  type Peer,
  type ProtocolError,
  rpcError,
} from '../../peer/index.js';
import { ERROR_CODES, METHODS, REVISIONS, type RevisionVersion } from '../../protocol/index.js';
import type { JsonObject } from '../../tasks/index.js';
import { isObject, member } from '../../wire/json.js';
import { claimedIn } from '../../wire/claims.js';
import { invalidEnvelope, isEnveloped } from '../http/classify.js';
import { envelopeFault, metaOf } from '../http/envelope.js';
import { unsupported } from '../http/unserved.js';
import type { Origin, Served, ServedSession } from '../served.js';

/**
 * What one client says over a pipe. Its first request decides: a handshake begins a session, a request of a revision
 * without sessions begins none. A client may ask what the server can do before it decides.
 */
export class Conversation<W, S extends ServedSession<W, S>> {
  readonly #served: Served<W, S>;
  readonly #channel: Channel;
  readonly #who: W;
  readonly #hasSessions: boolean;
  #session: S | undefined;
  /** The peer of requests without sessions, once there was one. */
  #requests: Peer<Origin<W, S>> | undefined;
  /** Whether there was one that is served in no session. */
  #isWithoutSession = false;

  constructor(served: Served<W, S>, channel: Channel, who: W) {
    this.#served = served;
    this.#channel = channel;
    this.#who = who;
    this.#hasSessions = served.versions.some((version) => REVISIONS[version].dialect === 'core');
  }

  receive(value: unknown): void {
    if (Array.isArray(value)) return this.#receiveSeveral(value as readonly unknown[]);
    if (!isObject(value)) return this.refuse(NO_MESSAGE);
    const { id, method } = value;
    if (id === undefined || typeof method !== 'string') return this.#receiveOther(value);
    if (!isRequestId(id)) return this.refuse(NO_MESSAGE);
    if (this.#session !== undefined) this.#inSession(value, this.#session);
    else if (claimedIn(value) === undefined || isHandshake(value)) this.#unclaimed(value);
    else this.#claimed(value);
  }

  /** Answers a message with an error; one that is no request without an id. */
  refuse(error: Pick<ProtocolError, 'code' | 'message' | 'data'>, id: unknown = null): void {
    const { code, message: text, data } = error;
    const message = { jsonrpc: '2.0', id, error: { code, message: text, data } };
    void this.#channel.send(message, JSON.stringify(message), true);
  }

  close(): void {
    this.#session?.peer.close();
    this.#requests?.close();
  }

  #receiveSeveral(values: readonly unknown[]): void {
    const version = this.#session?.revision?.version as RevisionVersion | undefined;
    const takesSeveral = version !== undefined && REVISIONS[version].batches;
    if (!takesSeveral || values.length === 0) return this.refuse(NO_BATCHES);
    for (const value of values) this.#toPeer(value);
  }

  /** Notifications, answers, and what is neither. */
  #receiveOther(message: JsonObject): void {
    if (this.#session !== undefined || this.#requests !== undefined) return this.#toPeer(message);
    const isAnswer = 'result' in message || 'error' in message;
    if (!isAnswer && message['method'] === undefined) this.refuse(NO_MESSAGE);
  }

  #inSession(message: JsonObject, session: S): void {
    const claimed = claimedIn(message);
    if (claimed === undefined || claimed === session.revision?.version)
      return this.#toPeer(message);
    this.refuse(unsupported(this.#served.versions, claimed), message['id']);
  }

  /** A handshake, or a request that names no version. */
  #unclaimed(message: JsonObject): void {
    if (this.#hasSessions && !this.#isWithoutSession) {
      this.#session = this.#served.openSession(undefined, this.#channel);
      return this.#toPeer(message);
    }
    const requested = member(message['params'], 'protocolVersion');
    this.refuse(unsupported(this.#served.versions, requested), message['id']);
  }

  #claimed(message: JsonObject): void {
    const fault = envelopeFault(metaOf(message) ?? {});
    const refused = fault ? invalidEnvelope(fault) : this.#served.refuseVersion(message);
    if (refused !== undefined) return this.refuse(refused, message['id']);
    this.#requests ??= this.#served.requests(true);
    this.#isWithoutSession ||= message['method'] !== METHODS.serverDiscover;
    this.#toPeer(message);
  }

  #toPeer(message: unknown): void {
    const session = this.#session;
    const peer = session?.peer ?? this.#requests;
    peer?.receive(message, this.#channel, { who: this.#who, session, http: undefined });
  }
}

function isHandshake(message: JsonObject): boolean {
  return message['method'] === METHODS.initialize && !isEnveloped(metaOf(message));
}

const NO_MESSAGE = rpcError(ERROR_CODES.InvalidRequest, 'The line is not a JSON-RPC message');
const NO_BATCHES = rpcError(
  ERROR_CODES.InvalidRequest,
  'A list of messages is not accepted here: send each in a line of its own',
);
