import type { AuthInfo } from '@modelcontextprotocol/server';

import type { JsonObject } from '../../tasks/index.js';

/** What a `subscriptions/listen` request that names tasks gets beside what the SDK sends on it. */
export interface TaskSubscriptions {
  /** Whether this request names tasks. The SDK alone serves the others. */
  names(message: unknown): message is JsonObject;
  /** The ids that it names. Throws a JSON-RPC error for a request that may not, or cannot, name them. */
  idsIn(message: JsonObject): readonly string[];
  /**
   * Begins to follow tasks. `onChange` is called when there is a notification after there was none, and
   * when the feed is over.
   */
  open(
    ids: readonly string[],
    request: { readonly id: unknown; readonly authInfo: AuthInfo | undefined },
    onChange: () => void,
  ): Promise<TaskFeed>;
}

/** The tasks of one `subscriptions/listen` request. */
export interface TaskFeed {
  /** The SDK's acknowledgement, with the tasks that were accepted. */
  acknowledged(message: JsonObject): JsonObject;
  /**
   * The next notification, if there is any. A slow reader gets the current state of each task when it next
   * reads, and misses states in between. One call at a time.
   */
  next(): Promise<JsonObject | undefined>;
  /** Whether no notification will follow: every task has ended or was removed. */
  readonly over: boolean;
  close(): void;
}
