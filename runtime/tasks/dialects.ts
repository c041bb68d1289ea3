import type { Dialect, JsonObject } from './record.js';

/** Where the dialects demand different decisions of the engine. Wire shapes are not its business. */
export interface DialectPolicy {
  /** Status of a task whose tool result says `isError`. */
  readonly toolErrorStatus: 'failed' | 'completed';
  /** Whether cancelling a task that has ended is an error. */
  readonly refusesCancelOfEnded: boolean;
  /** What every result has to carry beside its own fields. */
  readonly resultFields: JsonObject;
}

export const DIALECTS: Readonly<Record<Dialect, DialectPolicy>> = {
  core: { toolErrorStatus: 'failed', refusesCancelOfEnded: true, resultFields: {} },
  ext: {
    toolErrorStatus: 'completed',
    refusesCancelOfEnded: false,
    resultFields: { resultType: 'complete' },
  },
};
