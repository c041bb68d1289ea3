import type { Dialect, JsonObject } from './record.js';

/** The decisions of the engine that depend on the dialect. Wire shapes are in `runtime/wire`. */
export interface DialectPolicy {
  /** Status of a task whose tool result says `isError`. */
  readonly toolErrorStatus: 'failed' | 'completed';
  /** Whether cancelling a task that has ended is an error. */
  readonly refusesCancelOfEnded: boolean;
  /** Whether clients are told that the user is done on the page of a question by URL. */
  readonly announcesCompletedElicitations: boolean;
  /** Fields that every result has to have. */
  readonly resultFields: JsonObject;
}

export const DIALECTS: Readonly<Record<Dialect, DialectPolicy>> = {
  core: {
    toolErrorStatus: 'failed',
    refusesCancelOfEnded: true,
    announcesCompletedElicitations: true,
    resultFields: {},
  },
  ext: {
    toolErrorStatus: 'completed',
    refusesCancelOfEnded: false,
    announcesCompletedElicitations: false,
    resultFields: { resultType: 'complete' },
  },
};
