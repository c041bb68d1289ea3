// Written by mcp-codegen: what the generated files beside this folder have in common. Do not edit.
/* eslint-disable */

/** The messages of a protocol as a table, and the types of verdicts. */
import type { Check } from './check.js';
import type { Party } from './protocol.js';
import type { Shape } from './report.js';
import type { ValidationError, ValidationOptions } from './validation.js';

export type Rule = readonly [check: Check, shape: Shape];

export interface Method {
  readonly method: string;
  /**
   * The senders. Absent when the type only appears inside other messages, or an extension adds its
   * result.
   */
  readonly from?: Party | 'both' | undefined;
  /** Of the params. */
  readonly request?: Rule | undefined;
  readonly notification?: Rule | undefined;
  /** Whether the rule is of the whole message, because its definition restricts more than its params. */
  readonly whole?: boolean | undefined;
  /** Whether a rule accepts params or a result that JSON-RPC's definition refuses, so that both are checked. */
  readonly partial?: boolean | undefined;
  readonly result?: Rule | undefined;
}

/** A method, and the next one of the same place. */
export interface Entry extends Method {
  readonly next: Entry | undefined;
}

/** The place of a method, which is faster than hashing a text that was just parsed. Few methods share one. */
export function placeOf(method: string): number {
  return (method.length + method.charCodeAt(6)) | 0;
}

/**
 * Methods by their place. All entries have one object shape, and no list is between them, because each step costs
 * a small message.
 */
export function byPlace(methods: readonly Method[]): Entry[] {
  const table: Entry[] = [];
  for (const { method, from, request, notification, whole, partial, result } of [
    ...methods,
  ].reverse()) {
    const place = placeOf(method);
    const next = table[place];
    table[place] = { method, from, request, notification, whole, partial, result, next };
  }
  return table;
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
  readonly methods: readonly (Entry | undefined)[];
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

/** The rule for the params or the result of this method, if `from` sends it. */
export function ruleFor(known: Method, kind: Sort, from: Party | undefined): Rule | undefined {
  if (kind === 'response') return known.result;
  if (known.from !== from && known.from !== 'both') return undefined;
  return kind === 'request' ? known.request : known.notification;
}
