import {
  type Channel,
  isRequestId,
  isTooLong,
  type Peer,
  type ProtocolError,
  rpcError,
  TOO_LONG_ID,
  withoutId,
} from '../../peer/index.js';
import { MOST_IN_BATCH, takesBatches } from '../../batches.js';
import { ERROR_CODES, METHODS, REVISIONS } from '../../protocol.js';
import type { JsonObject } from '../../tasks/index.js';
import { claimedIn } from '../../peer/wire/revision.js';
import { isObject, member } from '../../peer/wire/json.js';
import {
  envelopeFault,
  invalidEnvelope,
  isEnveloped,
  metaOf,
  unsupported,
} from '../http/classify.js';
import { TooSlow } from '../queue/outgoing.js';
import { boundsFor, FOR_SERVERS } from '../reading/bounds.js';
import { answeredIn, isAnswer, MessageFault } from '../reading/envelope.js';
import { readJson, textOf } from '../reading/read-json.js';
import type { Origin, Served, ServedSession } from '../served.js';
import {
  isBlank,
  LineInput,
  LineOutput,
  type LineSource,
  type LineTarget,
  LONGEST_LINE,
} from './lines.js';

export interface LinesOptions<W, S extends ServedSession<W, S>> {
  readonly served: Served<W, S>;
  readonly source: LineSource;
  readonly target: LineTarget;
  /** Who is at the other end. */
  readonly who: W;
  /** Called when messages are dropped, or the connection is closed, because the reader is too slow. */
  readonly onTooSlow: () => void;
  readonly onError: (error: unknown) => void;
}

export interface LinesHandle {
  /** Resolves when the client has disconnected, or `close` was called. */
  readonly closed: Promise<void>;
  /** Ends the connection. */
  close(): Promise<void>;
  /** What waits for the client, beside what the target has taken. */
  readonly waiting: number;
}

/** Serves one client, whose messages are lines of JSON. No more are taken while more than 1 MiB waits for it. */
export function serveLines<W, S extends ServedSession<W, S>>(
  options: LinesOptions<W, S>,
): LinesHandle {
  const { served, source, target, who, onTooSlow, onError } = options;
  let isOpen = true;
  let settle = (): void => undefined;
  const closed = new Promise<void>((resolve) => (settle = resolve));

  const output = new LineOutput({
    target,
    onTooSlow,
    onRoom: () => input.resume(),
    onOverflow: () => fail(new TooSlow()),
  });
  const input = new LineInput({
    take: (line) => receive(line),
    isBlocked: () => output.isFull || conversation.isSettling,
    flow(flowing) {
      if (!isOpen) return;
      if (flowing) source.resume();
      else source.pause();
    },
  });
  const conversation = new Conversation(served, output, who, () => input.resume());

  function receive(line: Uint8Array): void {
    if (!isOpen || isBlank(line)) return;
    const read = readJson(line, BOUNDS);
    if (read.code === undefined) conversation.receive(read.value);
    else conversation.refuseLine(line, rpcError(read.code, `The line ${read.why}`));
  }

  function onData(chunk: Uint8Array): void {
    try {
      input.add(chunk);
    } catch (error) {
      fail(error as Error);
    }
  }

  function onEnd(): void {
    input.end();
    close();
  }

  function fail(error: Error): void {
    if (isOpen) onError(error);
    close();
  }

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    source.off('data', onData);
    source.off('error', onError);
    source.off('end', onEnd);
    source.off('close', close);
    // What was written last may fail later.
    target.off('error', fail);
    target.on('error', ignore);
    if (source.listenerCount('data') === 0) source.pause();
    input.clear();
    conversation.close();
    output.end();
    settle();
  }

  target.on('error', fail);
  source.on('error', onError);
  source.on('end', onEnd);
  source.on('close', close);
  source.on('data', onData);
  if (source.readableEnded || source.destroyed) setImmediate(close);
  return {
    closed,
    close() {
      close();
      return closed;
    },
    get waiting() {
      return output.waiting;
    },
  };
}

function ignore(): void {
  // The reader has closed the pipe.
}

const BOUNDS = boundsFor(LONGEST_LINE, FOR_SERVERS);

/** Requests by which a client finds out whether there are sessions. Our client sends `ping` to one that is silent. */
const UNDECIDED: ReadonlySet<unknown> = new Set([METHODS.serverDiscover, METHODS.ping]);

/**
 * What one client says over a pipe. Its first request decides: a handshake begins a session, a request of a revision
 * without sessions begins none. A client may ask what the server can do, and whether it reads, before it decides.
 */
class Conversation<W, S extends ServedSession<W, S>> {
  readonly #served: Served<W, S>;
  readonly #channel: Channel;
  readonly #who: W;
  readonly #hasSessions: boolean;
  readonly #onSettled: () => void;
  /** Whether the answer to a handshake, and so the revision of what follows it, is still to come. */
  isSettling = false;
  #session: S | undefined;
  /** The peer of requests without sessions, once there was one. */
  #requests: Peer<Origin<W, S>> | undefined;
  /** Whether there was one that is served in no session. */
  #isWithoutSession = false;

  constructor(served: Served<W, S>, channel: Channel, who: W, onSettled: () => void) {
    this.#served = served;
    this.#channel = channel;
    this.#who = who;
    this.#onSettled = onSettled;
    this.#hasSessions = served.versions.some((version) => REVISIONS[version].dialect === 'core');
  }

  receive(value: unknown): void {
    if (Array.isArray(value)) return this.#receiveSeveral(value as readonly unknown[]);
    if (!isObject(value)) return this.refuse(NO_MESSAGE);
    const { id, method } = value;
    if (id === undefined || typeof method !== 'string') return this.#receiveOther(value);
    if (!isRequestId(id)) return this.refuse(isTooLong(id) ? TOO_LONG_ID : NO_MESSAGE);
    if (this.#session !== undefined) this.#inSession(value, this.#session);
    else if (claimedIn(value) === undefined || isHandshake(value)) this.#unclaimed(value);
    else this.#claimed(value);
  }

  /** Refuses what cannot be read. A question that it answers ends. */
  refuseLine(line: Uint8Array, error: ProtocolError): void {
    this.#session?.peer.faulted(new MessageFault(error.message, answeredIn(textOf(line))));
    this.refuse(error);
  }

  /** Answers a message with an error; one that is no request without an id. */
  refuse(error: Pick<ProtocolError, 'code' | 'message' | 'data'>, id?: unknown): void {
    const { code, message: text, data } = error;
    const idPart = id === undefined ? withoutId(this.#session?.revision?.version) : { id };
    const message = { jsonrpc: '2.0', ...idPart, error: { code, message: text, data } };
    void this.#channel.send(message, JSON.stringify(message), true);
  }

  close(): void {
    this.#session?.peer.close();
    this.#requests?.close();
  }

  #receiveSeveral(values: readonly unknown[]): void {
    const takesSeveral = takesBatches(this.#session?.revision?.version);
    const isSome = takesSeveral && values.length > 0;
    if (!isSome || values.length > MOST_IN_BATCH) {
      this.#session?.peer.listRefused(values);
      return this.refuse(isSome ? LARGE_BATCH : NO_BATCHES);
    }
    for (const value of values) this.#toPeer(value);
  }

  /** Notifications, answers, and what is neither. */
  #receiveOther(message: JsonObject): void {
    if (this.#session !== undefined || this.#requests !== undefined) return this.#toPeer(message);
    if (!isAnswer(message) && typeof message['method'] !== 'string') this.refuse(NO_MESSAGE);
  }

  #inSession(message: JsonObject, session: S): void {
    const claimed = claimedIn(message);
    if (claimed === undefined || claimed === session.revision?.version)
      return this.#toPeer(message);
    this.#refuseVersion(claimed, message);
  }

  /** A handshake, or a request that names no version. */
  #unclaimed(message: JsonObject): void {
    if (this.#hasSessions && !this.#isWithoutSession) {
      this.#session = this.#served.openSession(undefined, this.#channel);
      return this.#toPeer(message);
    }
    this.#refuseVersion(member(message['params'], 'protocolVersion'), message);
  }

  /** Names those that this connection still takes: those of its session, or those without sessions. */
  #refuseVersion(requested: unknown, { id }: JsonObject): void {
    const { versions } = this.#served;
    const spoken = this.#session?.revision?.version;
    const dialect =
      this.#session !== undefined ? 'core' : this.#isWithoutSession ? 'ext' : undefined;
    const taken = versions.filter((version) =>
      spoken === undefined
        ? dialect === undefined || REVISIONS[version].dialect === dialect
        : version === spoken,
    );
    this.refuse(unsupported(taken, requested), id);
  }

  #claimed(message: JsonObject): void {
    const fault = envelopeFault(metaOf(message) ?? {});
    const refused = fault ? invalidEnvelope(fault) : this.#served.refuseVersion(message);
    if (refused !== undefined) return this.refuse(refused, message['id']);
    this.#requests ??= this.#served.requests(true);
    this.#isWithoutSession ||= !UNDECIDED.has(message['method']);
    this.#toPeer(message);
  }

  #toPeer(message: unknown): void {
    const session = this.#session;
    const peer = session?.peer ?? this.#requests;
    const begins = member(message, 'method') === METHODS.initialize && session !== undefined;
    const channel = begins ? this.#untilSettled() : this.#channel;
    peer?.receive(message, channel, { who: this.#who, session, http: undefined });
  }

  /** The channel of a handshake: what comes behind it waits for its answer. */
  #untilSettled(): Channel {
    const { gone } = this.#channel;
    this.isSettling = true;
    return {
      gone,
      send: (message, text, refused) => this.#channel.send(message, text, refused),
      close: () => {
        this.isSettling = false;
        this.#onSettled();
      },
    };
  }
}

function isHandshake(message: JsonObject): boolean {
  return message['method'] === METHODS.initialize && !isEnveloped(metaOf(message));
}

const NO_MESSAGE = rpcError(ERROR_CODES.InvalidRequest, 'The line is not a JSON-RPC message');
const LARGE_BATCH = rpcError(
  ERROR_CODES.InvalidRequest,
  `A list has more than ${MOST_IN_BATCH} messages`,
);
const NO_BATCHES = rpcError(
  ERROR_CODES.InvalidRequest,
  'A list of messages is not accepted here: send each in a line of its own',
);
