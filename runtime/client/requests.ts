/** The types of `client.request`: the params and the result of each method, by the generated tables. */

import type {
  NotificationMap as n20241105,
  RequestMap as v20241105,
} from '../../generated/2024-11-05/protocol.js';
import type {
  NotificationMap as n20250326,
  RequestMap as v20250326,
} from '../../generated/2025-03-26/protocol.js';
import type {
  NotificationMap as n20250618,
  RequestMap as v20250618,
} from '../../generated/2025-06-18/protocol.js';
import type {
  NotificationMap as n20251125,
  RequestMap as v20251125,
} from '../../generated/2025-11-25/protocol.js';
import type {
  NotificationMap as n20260728,
  RequestMap as v20260728,
} from '../../generated/2026-07-28/protocol.js';
import type {
  NotificationMap as ExtNotifications,
  RequestMap as ExtTasks,
} from '../../generated/ext-tasks/protocol.js';
import type { METHODS, RevisionVersion } from '../protocol/index.js';
import type { JsonObject } from '../tasks/index.js';

interface Tables {
  '2024-11-05': v20241105;
  '2025-03-26': v20250326;
  '2025-06-18': v20250618;
  '2025-11-25': v20251125;
  '2026-07-28': v20260728 & ExtTasks;
}

/** Requests that only servers send, and the handshake. */
type NotSent =
  | typeof METHODS.elicitationCreate
  | typeof METHODS.initialize
  | typeof METHODS.rootsList
  | typeof METHODS.samplingCreateMessage
  | typeof METHODS.subscriptionsListen;

/** A method that a client may call in at least one of the revisions. */
export type ClientMethod<V extends RevisionVersion = RevisionVersion> = V extends unknown
  ? Exclude<keyof Tables[V], NotSent> & string
  : never;

type EntryOf<V extends RevisionVersion, M> = V extends unknown
  ? M extends keyof Tables[V]
    ? Tables[V][M]
    : never
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
  EntryOf<V, M> extends infer E ? (E extends { result: infer R } ? Answer<R> : never) : never;

type Answer<R> = R extends { inputRequests?: unknown; requestState?: string }
  ? 'inputRequests' extends keyof R
    ? never
    : R
  : R;

interface Notifications {
  '2024-11-05': n20241105;
  '2025-03-26': n20250326;
  '2025-06-18': n20250618;
  '2025-11-25': n20251125;
  '2026-07-28': n20260728 & ExtNotifications;
}

/** A notification of at least one of the revisions. */
export type NotificationName<V extends RevisionVersion = RevisionVersion> = V extends unknown
  ? keyof Notifications[V] & string
  : never;

/** The params of a notification in one of the revisions. */
export type NoticeOf<V extends RevisionVersion, M> = V extends unknown
  ? M extends keyof Notifications[V]
    ? Notifications[V][M] extends { params?: infer P }
      ? P
      : never
    : never
  : never;
