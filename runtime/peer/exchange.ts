import type { ProgressToken } from '../../generated/2025-11-25/types.js';
import { type Abort, type JsonObject, LONGEST_TOKEN } from '../tasks/index.js';
import type { Facts, Operation } from '../telemetry/index.js';
import { isObject } from './wire/json.js';
import type { Revision } from './wire/revision.js';
import type { Channel } from './channel.js';
import { LazyAbort } from './lazy-abort.js';

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
