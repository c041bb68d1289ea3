/** The types of `client.request`: the params and the result of each method, by the generated tables. */

import type { METHODS, RevisionVersion } from '../protocol.js';
import type { JsonObject } from '../tasks/index.js';
import type { AnswerIn, EntryOf, Frozen } from '../peer/wire/messages.js';
import type { NotificationMaps, RequestMaps } from '../peer/wire/revision-tables.js';

/** Requests that only servers send, and the handshake. */
type NotSent =
  | typeof METHODS.elicitationCreate
  | typeof METHODS.initialize
  | typeof METHODS.rootsList
  | typeof METHODS.samplingCreateMessage
  | typeof METHODS.subscriptionsListen;

/** A method that a client may call in at least one of the revisions. */
export type ClientMethod<V extends RevisionVersion = RevisionVersion> = V extends unknown
  ? Exclude<keyof RequestMaps[V], NotSent> & string
  : never;

/** The params, without the `_meta` that the client adds. */
type WithoutMeta<P> = P extends object
  ? { [K in keyof P as K extends '_meta' ? never : K]: P[K] } & { readonly _meta?: JsonObject }
  : JsonObject;

/** The params of a method in one of the revisions. */
export type ParamsOf<V extends RevisionVersion, M> =
  EntryOf<V, M> extends infer E
    ? E extends { params?: infer P }
      ? WithoutMeta<NonNullable<P>>
      : never
    : never;

/** The result. The client answers `input_required` itself, and `call` follows tasks. */
export type ResultOf<V extends RevisionVersion, M> =
  EntryOf<V, M> extends infer E ? (E extends { result: infer R } ? FinalResult<R> : never) : never;

type FinalResult<R> = R extends { inputRequests?: unknown; requestState?: string }
  ? 'inputRequests' extends keyof R
    ? never
    : R
  : R;

/** What the client sends, in any revision; `JsonObject` for a method that only the application knows. */
export type Sent<M> = [EntryOf<RevisionVersion, M>] extends [never]
  ? JsonObject
  : Frozen<ParamsOf<RevisionVersion, M>>;

/** Its answer, which the caller checks where the option says so. */
export type Answered<M, O = unknown> = O extends { checksItself: true }
  ? JsonObject
  : [EntryOf<RevisionVersion, M>] extends [never]
    ? JsonObject
    : AnswerIn<RevisionVersion, M>;

/** A notification of at least one of the revisions. */
export type NotificationName<V extends RevisionVersion = RevisionVersion> = V extends unknown
  ? keyof NotificationMaps[V] & string
  : never;

/** The params of a notification in one of the revisions. */
export type NoticeOf<V extends RevisionVersion, M> = V extends unknown
  ? M extends keyof NotificationMaps[V]
    ? NotificationMaps[V][M] extends { params?: infer P }
      ? P
      : never
    : never
  : never;
