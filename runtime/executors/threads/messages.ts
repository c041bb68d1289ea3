import type { Progress } from '../../tasks/index.js';

/** A module that a thread can run. Arguments, progress and result are copied (structured clone). */
export interface ThreadModule<Args = never, Result = unknown> {
  readonly run: (args: Args, report: (progress: Progress) => void) => Result;
}

/** The run that a thread is started for. */
export interface Order {
  readonly module: string;
  readonly args: unknown;
}

/** A message of a thread. */
export type Reply =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly error: Error };
