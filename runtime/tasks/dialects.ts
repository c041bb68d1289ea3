import type { Dialect } from './record.js';

/** Where the dialects demand different decisions of the engine. Wire shapes are not its business. */
export interface DialectPolicy {
  /** Status of a task whose tool result says `isError`. */
  readonly toolErrorStatus: 'failed' | 'completed';
  /** Whether cancelling a task that has ended is an error. */
  readonly refusesCancelOfEnded: boolean;
}

export const DIALECTS: Readonly<Record<Dialect, DialectPolicy>> = {
  core: { toolErrorStatus: 'failed', refusesCancelOfEnded: true },
  ext: { toolErrorStatus: 'completed', refusesCancelOfEnded: false },
};
