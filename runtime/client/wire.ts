import {
  type Channel,
  ConnectionClosed,
  LazyAbort,
  type Methods,
  Peer,
  type ProtocolError,
  type RequestId,
  rpcError,
} from '../peer/index.js';
import { takesBatches } from '../batches.js';
import { ERROR_CODES } from '../protocol.js';
import { completed } from './completed.js';
import type { Abort, JsonObject } from '../tasks/index.js';
import type { Facts, Operations } from '../telemetry/index.js';
import { isObject } from '../peer/wire/json.js';
import type { Revision } from '../peer/wire/revision.js';
import { MessageFault } from '../transport/reading/envelope.js';
import { callError, Closed, invalidAnswer, LostStream } from './errors.js';
import { startTimer } from './pacing.js';
import { printable } from './printable.js';
import { Sends } from './sends.js';
import {
  type ClientTransport,
  errorInBody,
  explained,
  kindOf,
  type SendOptions,
} from './transport.js';

export interface WireParts {
  /** What the client serves. */
  readonly methodsIn: (revision: Revision) => Methods<undefined>;
  readonly onNotification: (method: string, params: JsonObject) => void;
  /** `problem` is the transport's reason, if it reported one. */
  readonly onClosed: (problem: Error | undefined) => void;
  readonly onProblem: (error: Error) => void;
  readonly operations: Operations;
}

export interface WireAsk {
  /** Withdraws the request: over a stream of its own by ending that, else with `notifications/cancelled`. */
  readonly signal?: Abort | undefined;
  /** Milliseconds for the answer. Default: no limit. */
  readonly timeout?: number | undefined;
  /** Gets a result that arrives after the request was withdrawn. */
  readonly onLate?: ((result: JsonObject) => void) | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** In which the request is written. Default: the revision of the connection. */
  readonly revision?: Revision | undefined;
  /** The caller checks the result against the method. */
  readonly checksItself?: boolean | undefined;
  /** Gets the id of the request before it is sent. */
  readonly onId?: ((id: RequestId) => void) | undefined;
}

/** Withdrawn requests whose answers may still come. */
const MOST_LATE = 1_000;
const NEVER = new LazyAbort();
const NOT_AGREED = rpcError(ERROR_CODES.InvalidRequest, 'No revision is agreed on yet');

/** One connection: a peer over a transport. It opens and closes once. */
export class Wire {
  readonly sends = new Sends();
  readonly #transport: ClientTransport;
  readonly #loading: Promise<Revision>;
  #revision: Revision | undefined;
  readonly #parts: WireParts;
  readonly #peer: Peer<undefined>;
  readonly #late = new Map<RequestId, (result: JsonObject) => void>();
  readonly #endSession: ReturnType<Operations['session']>;
  readonly #facts = (): Facts => {
    const kind = kindOf(this.#transport);
    return {
      revision: this.#revision?.version,
      sessionId: this.#transport.sessionId,
      transport: kind === 'pipe' ? 'pipe' : kind === 'other' ? undefined : 'tcp',
    };
  };
  /** Where answers and notifications of this side go. */
  readonly #outgoing: Channel = {
    gone: NEVER,
    close: () => undefined,
    send: (message) =>
      this.#send(message).catch((error: Error) => {
        // The end of the connection is the reason then.
        if (!this.#isClosing) this.#parts.onProblem(error);
      }),
  };
  /** The error that is about to end a stream or the connection. */
  #problem: Error | undefined;
  #isClosing = false;
  /** Why the connection was closed, if the transport reported it. */
  #reason: Error | undefined;

  constructor(transport: ClientTransport, revision: Promise<Revision>, parts: WireParts) {
    this.#transport = transport;
    this.#parts = parts;
    this.#loading = revision;
    this.#endSession = parts.operations.session();
    this.#peer = new Peer<undefined>({
      other: 'server',
      isConversation: true,
      revisionOf: () => this.#revision ?? NOT_AGREED,
      methodsIn: parts.methodsIn,
      onNotification: parts.onNotification,
      operations: parts.operations,
      factsOf: this.#facts,
      completed,
      invalidAnswer: ({ message }) => invalidAnswer(`Invalid answer: ${printable(message)}`),
      onLateAnswer: (_origin, answer) => this.#answeredLate(answer),
      onProblem: parts.onProblem,
    });
  }

  /** In which messages are written: the one that is tried, then the one that is negotiated. */
  get revision(): Revision {
    if (this.#revision === undefined) throw NOT_AGREED;
    return this.#revision;
  }

  set revision(revision: Revision) {
    this.#revision = revision;
  }

  get isClosed(): boolean {
    return this.#peer.isClosed;
  }

  /** Rejects when the transport cannot be opened. */
  async start(): Promise<void> {
    const transport = this.#transport;
    const { onclose, onerror } = transport;
    transport.onmessage = (message) => this.#receive(message);
    transport.onerror = (error) => {
      this.#failed(error);
      onerror?.(error);
    };
    transport.onclose = () => {
      this.#closed();
      onclose?.();
    };
    // A server's process starts while the modules of the revision are loaded.
    [this.#revision] = await Promise.all([this.#loading, transport.start()]);
  }

  /** Resolves with the result. Rejects with a `CallError`, and with the reason of `signal`. */
  async ask(method: string, params: JsonObject, options: WireAsk = {}): Promise<JsonObject> {
    const { signal, timeout, checksItself, revision = this.revision } = options;
    const stop = new LazyAbort();
    const peer = this.#peer;
    const abort = (): void => stop.abort(signal?.reason);
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort, { once: true });
    const timer = timeout === undefined ? undefined : startTimer(timeout, late);
    function late(): void {
      const strays = peer.takeStrays();
      stop.abort(
        callError('timeout', `The server did not answer ${method} within ${timeout} ms${strays}`),
      );
    }
    const channel = new RequestChannel((message, id) => this.#sent(message, id, stop, options));
    try {
      const more = { signal: stop, checksItself, facts: this.#facts };
      const answer = await peer.askOn(channel, revision, method, params, more);
      if (revision.dialect === 'ext') assertKnown(answer, method);
      return answer;
    } catch (error) {
      throw error instanceof ConnectionClosed ? this.#lost() : error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** What came since the last time and answers no request, as the end of a message. */
  takeStrays(): string {
    return this.#peer.takeStrays();
  }

  /** Rejects when the connection closes before the transport has sent it. */
  notify(method: string, params: JsonObject): Promise<void> {
    return this.sends.track(this.#peer.notifyOn(this.#outgoing, this.revision, method, params));
  }

  async close(): Promise<void> {
    try {
      await this.#transport.close();
    } finally {
      // The transport of a process does not report its end while a child of the process has the pipes open.
      this.#closed();
    }
  }

  /** Sends a request, or what withdraws it. */
  #sent(message: JsonObject, id: RequestId, stop: LazyAbort, options: WireAsk): void {
    if (message['id'] === undefined) return this.#withdraw(message, id, options);
    const { headers, onId } = options;
    onId?.(id);
    const more: SendOptions = {
      onRequestStreamEnd: (reason) => this.#peer.fail(id, this.#endedStream(reason)),
      ...(headers && { headers }),
      // Without it, the transport would add a listener for each request to one signal.
      ...(this.#transport.hasPerRequestStream === true && { requestSignal: stop.signal }),
    };
    this.#send(message, more).catch((error: unknown) => {
      this.#peer.fail(id, this.#unsent(error), 'send_failed');
    });
  }

  /** In revisions without sessions a request is cancelled by ending the stream of its answer. */
  get #endsStreams(): boolean {
    return this.revision.dialect === 'ext' && this.#transport.hasPerRequestStream === true;
  }

  #withdraw(message: JsonObject, id: RequestId, { onLate }: WireAsk): void {
    if (this.#endsStreams || this.#isClosing) return;
    if (onLate !== undefined) {
      const [oldest] = this.#late.keys();
      if (this.#late.size >= MOST_LATE && oldest !== undefined) this.#late.delete(oldest);
      this.#late.set(id, onLate);
    }
    // When it does not arrive, neither does the answer.
    this.sends.track(this.#send(message)).catch(() => undefined);
  }

  async #send(message: JsonObject, options?: SendOptions): Promise<void> {
    await this.#transport.send(message as never, options as never);
  }

  /** Servers of 2025-03-26 may send several messages as one. */
  #receive(message: JsonObject | readonly JsonObject[]): void {
    if (isList(message) && takesBatches(this.#revision?.version)) {
      for (const each of message) this.#receiveOne(each);
    } else this.#receiveOne(message as JsonObject);
  }

  #receiveOne(message: JsonObject): void {
    this.#peer.receive(message, this.#outgoing, undefined);
  }

  #answeredLate({ id, result }: JsonObject): void {
    const onLate = this.#late.get(id as RequestId);
    this.#late.delete(id as RequestId);
    if (isObject(result)) onLate?.(result);
  }

  #failed(error: Error): void {
    if (error instanceof MessageFault) this.#peer.faulted(error);
    const reason = explained(error);
    this.#problem = reason;
    // Other errors have ended their streams by then. A `maxBufferSize` error ends the connection later.
    if (reason === error) queueMicrotask(() => (this.#problem = undefined));
    // The stream of this transport is its session. It opens another one, in which nothing is answered.
    if (kindOf(this.#transport) === 'sse' && 'event' in error) {
      this.close().catch(this.#parts.onProblem);
    }
  }

  #closed(): void {
    if (this.#peer.isClosed) return;
    const problem = this.#problem;
    this.#isClosing = true;
    this.#reason = problem;
    this.#late.clear();
    this.#parts.onClosed(problem);
    this.#peer.close();
    this.sends.end(this.#lost());
    this.#endSession(this.#facts(), problem && 'connection_closed');
  }

  #lost(): Error {
    const why = this.#reason === undefined ? '' : `: ${this.#reason.message}`;
    const message = `The connection was closed${why}`;
    return callError('lost', message, new Closed(message, { cause: this.#reason }));
  }

  #endedStream(problem = this.#problem): Error {
    const message = `The stream ended without an answer${problem ? `: ${problem.message}` : ''}`;
    return callError('lost', message, new LostStream(message, { cause: problem }));
  }

  /** Without sessions, the body of a refusal is the answer. */
  #unsent(error: unknown): unknown {
    const answer = this.revision.dialect === 'ext' ? errorInBody(error) : undefined;
    if (answer === undefined) return error;
    const { code, message, data } = answer;
    const refusal: ProtocolError = rpcError(code as number, String(message), data);
    refusal.cause = error;
    return refusal;
  }
}

const RESULT_TYPES: ReadonlySet<unknown> = new Set(['complete', 'input_required', 'task']);

/** A client must not take a result for complete whose type it does not know. */
function assertKnown({ resultType }: JsonObject, method: string): void {
  if (resultType === undefined || RESULT_TYPES.has(resultType)) return;
  throw invalidAnswer(printable(`Unknown resultType ${JSON.stringify(resultType)} for ${method}`));
}

/** The way of one request: remembers its id. */
class RequestChannel implements Channel {
  readonly gone = NEVER;
  readonly #deliver: (message: JsonObject, id: RequestId) => void;
  #id: RequestId = '';

  constructor(deliver: (message: JsonObject, id: RequestId) => void) {
    this.#deliver = deliver;
  }

  send(message: JsonObject): void {
    const { id } = message;
    if (id !== undefined) this.#id = id as RequestId;
    this.#deliver(message, this.#id);
  }

  close(): void {
    // The transport ends its streams.
  }
}

function isList(message: JsonObject | readonly JsonObject[]): message is readonly JsonObject[] {
  return Array.isArray(message);
}
