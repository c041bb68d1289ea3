import {
  type Channel,
  ConnectionClosed,
  LazyAbort,
  type Methods,
  Peer,
  type RequestId,
  rpcError,
} from '../../peer/index.js';
import { ERROR_CODES, EXTENSION_ID, METHODS } from '../../protocol.js';
import type { SdkServer, ServerExchange } from '../guest.js';
import { type Abort, type JsonObject, messageOf } from '../../tasks/index.js';
import { NO_OPERATIONS } from '../../telemetry/index.js';
import { at, isObject } from '../../peer/wire/json.js';
import { dialectRevision, type Revision, withoutValues } from '../../peer/wire/revision.js';
import { type GuestClient, type GuestOrigin, NO_CLIENT, questionsIn } from './client.js';
import { GuestTransport, type MessageExtra, type SendOptions } from './transport.js';

/** What a guest gets to know of its client. */
export interface Opening {
  readonly capabilities: JsonObject;
  readonly clientInfo: JsonObject;
}

export interface ConversationParts {
  readonly connect: () => SdkServer | Promise<SdkServer>;
  readonly opening: Opening | Promise<Opening>;
  /** Of the client's session. Default: it has none. */
  readonly sessionId?: () => string | undefined;
  readonly onError: (error: unknown) => void;
  /** Milliseconds for the handshake and for lists. */
  readonly patience?: number | undefined;
  /** Called once, whichever side has closed the connection. */
  readonly onClosed?: () => void;
}

/**
 * A session with a guest, over a linked pair of transports in memory: this side is its client. It is a session also
 * where the client's own request has none.
 */
export class Conversation {
  /** Where the guest's questions and notifications go. */
  client: GuestClient = NO_CLIENT;
  /** Rejects when the guest does not take the transport. */
  readonly connected: Promise<void>;
  /** The answer to the handshake. Rejects when there was none. */
  readonly opened: Promise<JsonObject>;
  readonly #parts: ConversationParts;
  readonly #transport: GuestTransport;
  readonly #peer: Peer<GuestOrigin>;
  readonly #revision: Revision;
  /** The requests that the guest works on, by the ids that it knows. */
  readonly #open = new Map<RequestId, ServerExchange>();
  /** The notification that the guest sends last. */
  #sending: Promise<void> | undefined;
  readonly #answers: Channel = new ToGuest((message) => this.#deliver(message));

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    this.#revision = dialectRevision('core');
    const methods = questionsOf(this.#revision);
    this.#peer = new Peer<GuestOrigin>({
      other: 'server',
      isConversation: true,
      revisionOf: () => this.#revision,
      methodsIn: () => methods,
      onNotification: (method, params, { client, about }) => {
        // A client that has disconnected, or whose revision lacks the notification, does not get it.
        this.#sending = client.notify(method, params, about)?.catch(() => undefined);
      },
      operations: NO_OPERATIONS,
      factsOf: () => ({}),
      invalidAnswer: (problem) =>
        rpcError(
          ERROR_CODES.InternalError,
          `Invalid answer of the guest: ${withoutValues(problem)}`,
        ),
      onLateAnswer: () => undefined,
      onProblem: (error) => parts.onError(new Error(`Guest: ${error.message}`, { cause: error })),
    });
    this.#transport = new GuestTransport(
      {
        receive: (message, options) => this.#receive(message, options),
        closed: () => this.close(),
      },
      parts.sessionId ?? (() => undefined),
    );
    this.connected = this.#connect();
    this.opened = this.#handshake();
    this.opened.catch((error: unknown) => {
      this.close();
      const what = `The guest could not be opened: ${messageOf(error)}`;
      parts.onError(new Error(what, { cause: error }));
    });
  }

  /**
   * Resolves with the guest's result for a request of a client. Rejects with the error that the guest answers, and with
   * `-32603` where it answers nothing.
   */
  async request(method: string, params: JsonObject, exchange: ServerExchange): Promise<JsonObject> {
    return this.#ask(method, params, exchange.cancelled, exchange);
  }

  /** A request that a guest answers quickly, or has failed. */
  soon(method: string, params: JsonObject, exchange?: ServerExchange): Promise<JsonObject> {
    const { patience = PATIENCE } = this.#parts;
    const ask = (signal: Abort): Promise<JsonObject> => this.#ask(method, params, signal, exchange);
    return inTime(`${method} of the guest`, patience, ask, exchange?.cancelled);
  }

  /** Sends a notification of the client. Does nothing when the guest has closed. */
  notify(method: string, params: JsonObject = {}): void {
    this.opened
      .then(() => this.#peer.notifyOn(this.#answers, this.#revision, method, params))
      .catch(() => undefined);
  }

  /** Something went wrong on the way to the client. */
  failed(error: Error): void {
    this.#transport.onerror?.(error);
  }

  close(): void {
    if (this.#peer.isClosed) return;
    this.#peer.close();
    this.#transport.end();
    this.#parts.onClosed?.();
  }

  #connect(): Promise<void> {
    const { connect, patience = PATIENCE } = this.#parts;
    return inTime('The connection of the guest', patience, async () => {
      const server = await connect();
      await server.connect(this.#transport as never);
    });
  }

  async #handshake(): Promise<JsonObject> {
    const { opening, patience = PATIENCE } = this.#parts;
    await this.connected;
    const { capabilities, clientInfo } = await opening;
    const { version: protocolVersion } = this.#revision;
    const params = { protocolVersion, capabilities: withoutTasks(capabilities), clientInfo };
    return inTime('The handshake of the guest', patience, (signal) =>
      this.#peer.askOn(this.#answers, this.#revision, METHODS.initialize, params, { signal }),
    );
  }

  async #ask(
    method: string,
    params: JsonObject,
    signal: Abort,
    exchange: ServerExchange | undefined,
  ): Promise<JsonObject> {
    await this.opened.catch(() => {
      throw rpcError(ERROR_CODES.InternalError, 'The guest server is not available');
    });
    let id: RequestId | undefined;
    const channel = new ToGuest((message) => {
      if (exchange !== undefined && message['method'] === method) {
        id = message['id'] as RequestId;
        this.#open.set(id, exchange);
      }
      this.#deliver(message, exchange && extraOf(exchange));
    });
    try {
      return await this.#peer.askOn(channel, this.#revision, method, params, { signal });
    } catch (error) {
      if (!(error instanceof ConnectionClosed)) throw error;
      throw rpcError(ERROR_CODES.InternalError, 'The guest server has closed its connection');
    } finally {
      if (id !== undefined) this.#open.delete(id);
    }
  }

  #deliver(message: JsonObject, extra?: MessageExtra): void {
    try {
      this.#transport.deliver(message, extra);
    } catch (error) {
      // A transport would not survive it either: no request of the guest is answered any more.
      this.#parts.onError(new Error(`The guest has failed: ${messageOf(error)}`, { cause: error }));
      this.close();
    }
  }

  #receive(message: JsonObject, options: SendOptions | undefined): Promise<void> | undefined {
    const related = options?.relatedRequestId;
    const about = related === undefined ? this.#exchangeOf(message) : this.#open.get(related);
    // What belongs to a request that has ended reaches no one.
    const isLate = related !== undefined && about === undefined;
    const client = isLate ? NO_CLIENT : this.client;
    this.#sending = undefined;
    this.#peer.receive(message, this.#answers, { client, about });
    return this.#sending;
  }

  /** The request whose progress a notification reports, where the guest does not say it. */
  #exchangeOf({ method, params }: JsonObject): ServerExchange | undefined {
    if (method !== METHODS.notificationsProgress || !isObject(params)) return undefined;
    for (const exchange of this.#open.values()) {
      if (exchange.meta?.progressToken === params['progressToken']) return exchange;
    }
    return undefined;
  }
}

/** The way to the guest, which is always there: what it cannot take, it has lost. */
class ToGuest implements Channel {
  readonly gone = new LazyAbort();
  readonly send: (message: JsonObject) => void;

  constructor(send: (message: JsonObject) => void) {
    this.send = send;
  }

  close(): void {
    // Other messages follow.
  }
}

let questions: Methods<GuestOrigin> | undefined;

function questionsOf(revision: Revision): Methods<GuestOrigin> {
  return (questions ??= questionsIn(revision));
}

/** A guest runs no tasks of its own for clients of this server, and asks for none. */
export function withoutTasks({ tasks: _, ...capabilities }: JsonObject): JsonObject {
  if (at(capabilities, ['extensions', EXTENSION_ID]) === undefined) return capabilities;
  const { [EXTENSION_ID]: __, ...extensions } = capabilities['extensions'] as JsonObject;
  return { ...capabilities, extensions };
}

/** What a transport of the user said of a message. */
interface FromSdk {
  readonly extra: MessageExtra | undefined;
}

/** What the guest's handlers get to see of a request: who calls, and the HTTP request. */
function extraOf({ origin }: ServerExchange): MessageExtra {
  if ('extra' in origin) return (origin as unknown as FromSdk).extra ?? {};
  const { who, http } = origin;
  const caller = who && { authInfo: who };
  if (http === undefined) return { ...caller };
  const head = http.head();
  // The first version of the SDK has the headers, the second one the request.
  return { ...caller, requestInfo: { headers: Object.fromEntries(head.headers) }, request: head };
}

/** Milliseconds in which a guest has to connect, and to send a list. Its tools may take longer. */
const PATIENCE = 10_000;

/** Rejects, and aborts the signal of `work`, when `work` takes too long, or `other` is aborted. */
async function inTime<T>(
  what: string,
  ms: number,
  work: (signal: Abort) => Promise<T>,
  other?: Abort,
): Promise<T> {
  const abort = new LazyAbort();
  const cancel = (): void => abort.abort(other?.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ended = new Promise<undefined>((resolve) => {
    abort.onAbort(() => resolve(undefined));
    timer = setTimeout(() => abort.abort(new Error(`${what} took longer than ${ms} ms`)), ms);
    other?.addEventListener('abort', cancel, { once: true });
  });
  try {
    const result = await Promise.race([work(abort), ended]);
    abort.throwIfAborted();
    return result as T;
  } finally {
    clearTimeout(timer);
    other?.removeEventListener('abort', cancel);
  }
}
