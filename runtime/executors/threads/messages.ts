import type { Progress } from '../../tasks/index.js';

/** A module that a thread can run. Arguments, progress and result are copied (structured clone). */
export interface ThreadModule<Args = never, Result = unknown> {
  readonly run: (args: Args, report: (progress: Progress) => void) => Result;
}

/** What a thread is to run. */
export interface Order {
  readonly module: string;
  readonly args: unknown;
}

/** What a thread reports. */
export type Reply =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly error: Error };
