import type { Channel, Peer } from '../../peer/index.js';
import { ERROR_CODES, METHODS, REVISIONS, type RevisionVersion } from '../../protocol/index.js';
import type { JsonObject } from '../../tasks/index.js';
import { isObject, member } from '../../wire/json.js';
import { claimedIn } from '../../wire/claims.js';
import { isEnveloped } from '../http/classify.js';
import { envelopeFault, metaOf } from '../http/envelope.js';
import type { Origin, Served, ServedSession } from '../served.js';

/** An error without a request that could be answered. */
interface PipeError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

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
    const isRequest = value['id'] !== undefined && typeof value['method'] === 'string';
    if (!isRequest) return this.#receiveOther(value);
    if (this.#session !== undefined) this.#inSession(value, this.#session);
    else if (claimedIn(value) === undefined || isHandshake(value)) this.#unclaimed(value);
    else this.#claimed(value);
  }

  /** Answers what is no request. */
  refuse(error: PipeError, id: unknown = null): void {
    const message = { jsonrpc: '2.0', id, error };
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
    this.refuse(this.#unsupported(claimed), message['id']);
  }

  /** A handshake, or a request that names no version. */
  #unclaimed(message: JsonObject): void {
    if (this.#hasSessions && !this.#isWithoutSession) {
      this.#session = this.#served.openSession(undefined, this.#channel);
      return this.#toPeer(message);
    }
    this.refuse(this.#unsupported(member(message['params'], 'protocolVersion')), message['id']);
  }

  #claimed(message: JsonObject): void {
    const fault = envelopeFault(metaOf(message) ?? {});
    if (fault !== undefined) {
      const { key, problem } = fault;
      const text = `Invalid _meta envelope: ${key}: ${problem}`;
      const data = { envelope: fault };
      return this.refuse({ code: ERROR_CODES.InvalidParams, message: text, data }, message['id']);
    }
    const refused = this.#served.refuseVersion(message);
    if (refused !== undefined) {
      const { code, message: text, data } = refused;
      return this.refuse({ code, message: text, data }, message['id']);
    }
    this.#requests ??= this.#served.requests(true);
    this.#isWithoutSession ||= message['method'] !== METHODS.serverDiscover;
    this.#toPeer(message);
  }

  #toPeer(message: unknown): void {
    const session = this.#session;
    const peer = session?.peer ?? this.#requests;
    peer?.receive(message, this.#channel, { who: this.#who, session, http: undefined });
  }

  #unsupported(requested: unknown): PipeError {
    const isNamed = typeof requested === 'string';
    const what = isNamed ? requested : 'the request did not name a protocol version';
    const supported = this.#served.versions;
    return {
      code: ERROR_CODES.UnsupportedProtocolVersion,
      message: `Unsupported protocol version: ${what}`,
      data: isNamed ? { supported, requested } : { supported },
    };
  }
}

function isHandshake(message: JsonObject): boolean {
  return message['method'] === METHODS.initialize && !isEnveloped(metaOf(message));
}

const NO_MESSAGE = {
  code: ERROR_CODES.InvalidRequest,
  message: 'The line is not a JSON-RPC message',
};
const NO_BATCHES = {
  code: ERROR_CODES.InvalidRequest,
  message: 'A list of messages is not accepted here: send each in a line of its own',
};
