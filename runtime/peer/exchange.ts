import type { ProgressToken } from '../../generated/2025-11-25/types.js';
import { type Abort, type JsonObject, LONGEST_TOKEN, jsonOf } from '../tasks/index.js';
import type { Facts, Operation } from '../telemetry/index.js';
import { isObject } from './wire/json.js';
import type { Revision, InvalidMessage } from './wire/revision.js';
import { ERROR_CODES } from '../protocol.js';
import { rpcError } from './errors.js';

export type RequestId = string | number;

/** Characters of the id of a request, as of its progress token: every message about the request repeats them. */
export const LONGEST_ID = LONGEST_TOKEN;

/**
 * What a peer takes as the id of a request: fractions, numbers that JSON cannot repeat exactly, and texts of more than
 * 1,000 characters are none.
 */
export function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' ? !isTooLong(id) : Number.isSafeInteger(id);
}

/** Whether an id or a progress token is a text that is too long to be repeated. */
export function isTooLong(id: unknown): boolean {
  return typeof id === 'string' && id.length > LONGEST_ID;
}

export interface AskOptions {
  /** Withdraws the question. */
  readonly signal?: Abort | undefined;
  /** The peer does not check the result against the method, because the caller does. */
  readonly checksItself?: boolean | undefined;
  /** For telemetry. Default: the revision. */
  readonly facts?: (() => Facts) | undefined;
}

/** What sends the messages that belong to a request. */
export interface Sender {
  notifyOn(channel: Channel, revision: Revision, method: string, params: JsonObject): Promise<void>;
  askOn(
    channel: Channel,
    revision: Revision,
    method: string,
    params: JsonObject,
    options?: AskOptions,
  ): Promise<JsonObject>;
}

/** What `_meta` of a request holds. The revision has checked the token. */
export type RequestMeta = JsonObject & { readonly progressToken?: ProgressToken };

/** A request as it came, with what the peer knows of it. */
interface RequestParts<O> {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  readonly revision: Revision;
  readonly channel: Channel;
  /** What the transport says of the message. */
  readonly origin: O;
  readonly operation: Operation;
}

/** One request of the other side, from its arrival to its answer. Handlers get it. */
export class Exchange<O> {
  readonly id: RequestId;
  readonly method: string;
  readonly revision: Revision;
  readonly origin: O;
  /** Aborted when the request is cancelled, and when the connection has closed. */
  readonly cancelled = new LazyAbort();
  /** Aborted as well when what is sent does not reach the other side any more. */
  readonly gone = new LazyAbort();
  readonly operation: Operation;
  /** It is answered, or gets no answer: nothing is sent on its channel any more. */
  isOver = false;
  /** A result that its handler has checked in this revision, so that the peer does not check it again. */
  checked: JsonObject | undefined;
  /** Among the open requests that its peer does not find by their ids. */
  place = 0;
  /** `params._meta`. */
  readonly meta: RequestMeta | undefined;
  readonly #sender: Sender;
  readonly #channel: Channel;

  constructor(
    sender: Sender,
    { id, method, params, revision, channel, origin, operation }: RequestParts<O>,
  ) {
    this.id = id;
    this.method = method;
    this.revision = revision;
    this.origin = origin;
    this.operation = operation;
    const meta = params['_meta'];
    this.meta = isObject(meta) ? meta : undefined;
    this.#sender = sender;
    this.#channel = channel;
  }

  get signal(): AbortSignal {
    return this.cancelled.signal;
  }

  /**
   * Sends a notification that belongs to the request. Resolves when it was sent, when the other side cannot be reached,
   * and at once when the request is over: a handler may go on after it was cancelled. Rejects for one that its revision
   * forbids.
   */
  notify(method: string, params: JsonObject): Promise<void> {
    if (this.isOver) return Promise.resolve();
    return this.#sender.notifyOn(this.#channel, this.revision, method, params);
  }

  /**
   * Asks the other side a question that belongs to the request, and resolves with its result. Rejects with the reason
   * when the request was cancelled.
   */
  async ask(method: string, params: JsonObject, options?: AskOptions): Promise<JsonObject> {
    this.cancelled.throwIfAborted();
    return await this.#sender.askOn(this.#channel, this.revision, method, params, options);
  }

  /** Sends the answer of a request that is ended before its handler is. */
  answer(message: JsonObject, text: string): void {
    void this.#channel.send(message, text);
  }

  /** Ends a request that gets no other answer. */
  abandon(reason: () => unknown): void {
    this.cancelled.abortFor(reason);
    this.gone.abortFor(reason);
    this.#channel.close();
  }
}

/**
 * An abort whose signal is made when it is first read: most answers are sent before that. A signal and its listeners
 * cost a request more than its checks.
 */
export class LazyAbort implements Abort {
  #controller: AbortController | undefined;
  #callback: (() => void) | undefined;
  #listeners: Set<() => void> | undefined;
  #reason = (): unknown => undefined;
  aborted = false;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort(this.#reason());
    }
    return this.#controller.signal;
  }

  /** As the signal has it: an error where none was given. */
  get reason(): unknown {
    return this.aborted ? (this.signal.reason as unknown) : undefined;
  }

  throwIfAborted(): void {
    if (this.aborted) this.signal.throwIfAborted();
  }

  /** Calls back once, before all listeners. There is one callback. */
  onAbort(callback: () => void): void {
    if (this.aborted) callback();
    else this.#callback = callback;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (!this.aborted) (this.#listeners ??= new Set()).add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners?.delete(listener);
  }

  abort(reason: unknown): void {
    this.abortFor(() => reason);
  }

  /** The reason is made when it is first read: an error with its stack takes long. */
  abortFor(reason: () => unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.#reason = reason;
    this.#callback?.();
    this.#controller?.abort(reason());
    for (const listener of this.#listeners ?? []) listener();
    this.#listeners = undefined;
  }
}

/**
 * All that a peer knows of a connection: where the messages go that belong to one message of the other side, or to
 * none. A transport makes one for each HTTP request; a pipe has one for everything.
 */
export interface Channel {
  /**
   * Sends a message, whose text is known. Resolves when the next one may be sent without adding to a queue. `refused`
   * says that the peer itself refuses the request, and no handler ran: HTTP has other statuses for it.
   */
  send(message: JsonObject, text: string, refused?: boolean): Promise<void> | void;
  /** Nothing more belongs to the message: it is answered, or gets no answer. A pipe stays open. */
  close(): void;
  /** Aborted when what is sent does not reach the other side any more. */
  readonly gone: LazyAbort;
}

/** A message with its text. */
export interface Outgoing {
  readonly message: JsonObject;
  readonly text: string;
}

export const INVALID_MESSAGE = rpcError(
  ERROR_CODES.InvalidRequest,
  'The message is not valid JSON-RPC',
);
export const TOO_LONG_ID = rpcError(
  ERROR_CODES.InvalidRequest,
  `The id has more than ${LONGEST_ID} characters`,
);
export const TOO_LONG_TOKEN = rpcError(
  ERROR_CODES.InvalidParams,
  `progressToken must have at most ${LONGEST_ID} characters`,
);
export const METHOD_NOT_FOUND = rpcError(ERROR_CODES.MethodNotFound, 'Method not found');

/** The answer with an error, without its data where these are no JSON. */
export function failure(
  id: { readonly id?: RequestId | null },
  error: JsonObject,
  onProblem: (error: Error) => void,
): Outgoing {
  const message = { jsonrpc: '2.0', ...id, error };
  const { text, problem } = encoded(message);
  if (text !== undefined) return { message, text };
  const { code, message: what } = error;
  const plain = { jsonrpc: '2.0', ...id, error: { code, message: what } };
  onProblem(new Error(`Dropped the data of an error: ${problem.message}`));
  return { message: plain, text: JSON.stringify(plain) };
}

/**
 * The text of a message. Validators accept a BigInt or a cycle where the schema allows any value, and JSON has neither.
 */
export function encoded(
  message: JsonObject,
):
  | { readonly text: string; readonly problem?: undefined }
  | { readonly text?: undefined; readonly problem: InvalidMessage } {
  const { text, problem } = jsonOf(message);
  if (text !== undefined) return { text };
  // Without the member of the message that has it: `result`, `params` or `error`.
  const detail = problem.replace(/^\/\w+(?=\/)/, '');
  const [pointer = ''] = /^\/\S*/.exec(detail) ?? [];
  const fault = { pointer, expected: 'JSON', message: `not JSON: ${detail}` };
  return {
    problem: { code: ERROR_CODES.InternalError, message: fault.message, faults: [fault] },
  };
}
