/** The rules for the messages of a protocol, and the types of verdicts. */
import type { Check, Context } from './check.js';
import type { Party } from './protocol.js';
import type { Shape } from './report.js';
import type { ValidationError, ValidationOptions } from './validation.js';

export type Rule = readonly [check: Check, shape: Shape];

/**
 * What the rule of a method says: whether it accepts a value, `'partial'` when JSON-RPC's definition has to accept it as well,
 * and without a context the shape that reports on the value. `false` for other methods and senders.
 */
export type Verdict = boolean | 'partial' | Shape;

/** The rules for the params or the results of all methods. `v` is that, and `message` the whole message. */
export type Rules = (
  method: string,
  from: Party | undefined,
  v: unknown,
  c: Context | undefined,
  message: unknown,
) => Verdict;

/**
 * A number for a method, of its length and the character at a place that tells most methods apart: a `switch` over numbers is
 * faster than one over texts.
 */
export function placeOf(method: string, at: number): number {
  return (method.length + method.charCodeAt(at)) | 0;
}

/** Parse error, invalid request, method not found, invalid params. */
export type ErrorCode = -32700 | -32600 | -32601 | -32602;

/** An invalid message, with the JSON-RPC code of the answer. */
export interface Rejected {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly errors: readonly ValidationError[];
}

export interface ReceivedRequest<T> {
  readonly ok: true;
  readonly kind: 'request';
  readonly value: T;
}

export interface ReceivedNotification<T> {
  readonly ok: true;
  readonly kind: 'notification';
  readonly value: T;
}

/** A JSON-RPC error, ready to send. */
export interface ErrorReply {
  readonly jsonrpc: '2.0';
  readonly id?: string | number | null;
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly data: { readonly errors: readonly ValidationError[] };
  };
}

export interface Undecoded extends Rejected {
  /** The answer. Absent for notifications and responses, which JSON-RPC does not answer. */
  readonly reply?: ErrorReply;
}

export type Kind = 'request' | 'notification' | 'response' | 'error';

/** The types of each side's requests and notifications and of each method's result. */
export interface MessageTypes {
  readonly client: { readonly request: unknown; readonly notification: unknown };
  readonly server: { readonly request: unknown; readonly notification: unknown };
  readonly results: object;
}

/** The messages of a revision or an extension. Pass an extension's `wire` to the revision's functions. */
export interface Wire<M extends MessageTypes = MessageTypes> {
  readonly request: Rules;
  readonly notification: Rules;
  readonly response: Rules;
  /** The methods whose rule is of the whole message, because its definition restricts more than its params. */
  readonly whole?: readonly string[];
  /** Only a type. */
  readonly messages?: M;
}

export type MessagesOf<W extends readonly Wire[]> = MessagesIn<W[number]>;

type MessagesIn<W> = W extends Wire<infer M> ? M : never;

export type ResultOf<M extends MessageTypes, K extends string> = string extends K
  ? unknown
  : M extends { readonly results: { readonly [key in K]: infer R } }
    ? R
    : never;

export interface ResultOptions<
  W extends readonly Wire[] = readonly Wire[],
> extends ValidationOptions {
  /** The `wire` of each active extension. */
  readonly extensions?: W | undefined;
}

export interface WireOptions<
  P extends Party = Party,
  W extends readonly Wire[] = readonly Wire[],
> extends ResultOptions<W> {
  /** Who sent the message. */
  readonly from: P;
  /**
   * Returns the method of the request with this id, to check the result of its answer. For
   * `tasks/result`, return the method of the request that became the task.
   */
  readonly methodOf?: ((id: string | number) => string | undefined) | undefined;
}

/** A valid message by kind; `A` is an answer, whose definitions depend on the revision. */
export type ReceivedMessage<T extends MessageTypes[Party], A> =
  ReceivedRequest<T['request']> | ReceivedNotification<T['notification']> | A;

/** An answer. Its result is checked if `methodOf` returns the method. */
export type Answer<Response, Failure> =
  | { readonly ok: true; readonly kind: 'response'; readonly value: Response }
  | { readonly ok: true; readonly kind: 'error'; readonly value: Failure };

/** The kinds of messages that are checked by their method. */
export type Sort = Exclude<Kind, 'error'>;
