/** The types of requests by their methods, in one revision or several, from the generated tables. */

import type { AddedResultMap } from '../../../generated/ext-tasks/protocol.js';
import type { Party } from '../../../generated/support/protocol.js';
import type { REVISIONS, RevisionVersion } from '../../protocol.js';
import type { Dialect } from '../../tasks/index.js';
import type { NOT_CACHED } from '../../rules/messages.js';
import type { FeatureMaps, RequestMaps } from './revision-tables.js';

/** The revisions of a dialect. */
export type VersionOf<D extends Dialect> = {
  [V in RevisionVersion]: (typeof REVISIONS)[V]['dialect'] extends D ? V : never;
}[RevisionVersion];

export type EntryOf<V extends RevisionVersion, M> = V extends unknown
  ? M extends keyof RequestMaps[V]
    ? RequestMaps[V][M]
    : never
  : never;

/** The methods that a side serves, in at least one of the revisions, when it declares a feature. */
export type MethodsOf<V extends RevisionVersion, P extends Party, F> = V extends unknown
  ? F extends keyof FeatureMaps[V][P]
    ? FeatureMaps[V][P][F]
    : never
  : never;

/**
 * The params of a method, whichever of the revisions a request speaks. A member that only some revisions have is
 * `unknown`, because the others take anything there. Sound for what `Revision.check` has taken, as every peer asks of
 * requests before it calls a row (`Peer.receive`), and of nothing else.
 */
export type ParamsIn<V extends RevisionVersion, M> = Merged<Given<EntryOf<V, M>>>;

/** A request without params gets an empty object. */
type Given<E> = E extends { params?: infer P }
  ? undefined extends P
    ? Partial<NonNullable<P>>
    : P
  : never;

/** What the other side answers, once `Revision.checkResult` has taken it. Members are as in `ParamsIn`. */
export type AnswerIn<V extends RevisionVersion, M> =
  EntryOf<V, M> extends { result: infer R } ? Merged<R> : never;

export type Merged<U> = { readonly [K in keyof U]: U[K] } & {
  readonly [K in Exclude<AnyKey<U>, keyof U>]?: unknown;
};
type AnyKey<U> = U extends unknown ? keyof U : never;

/**
 * What a row may return in one of the revisions. The peer checks it before it is sent, and `DialectModule.complete` adds
 * first what every result of a revision without sessions has.
 */
export type ResultIn<V extends RevisionVersion, M> =
  EntryOf<V, M> extends infer E
    ? E extends { result: infer R }
      ? Frozen<Uncompleted<R | Added<M>>>
      : never
    : never;

type Added<M> = M extends keyof AddedResultMap ? AddedResultMap[M] : never;

type Completed = 'resultType' | keyof typeof NOT_CACHED;
/** Questions say themselves what they are. */
type Uncompleted<R> = R extends unknown
  ? 'inputRequests' extends keyof R
    ? R
    : { [K in keyof R as K extends Completed ? never : K]: R[K] } & {
        [K in keyof R as K extends Completed ? K : never]?: R[K];
      }
  : never;

/** What is sent and not changed. */
export type Frozen<T> = T extends readonly (infer E)[]
  ? readonly Frozen<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;
