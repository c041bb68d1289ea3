import { DiagnosticError } from '../diagnostics/index.js';
import type { DiagnosticCode } from '../diagnostics/index.js';
import { ScaffoldError } from '../scaffold/index.js';
import { ConflictError } from '../write/index.js';

/** What the process ends with. Scripts depend on these: they never change their meaning. */
export const EXIT = {
  done: 0,
  internal: 1,
  usage: 2,
  invalid: 3,
  stale: 4,
  conflict: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The command line asks for something that does not exist or makes no sense. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(
    message: string,
    readonly help?: string,
  ) {
    super(message);
  }
}

/** People were asked, and gave no answer. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';

  constructor() {
    super('Interrupted: nothing was written.');
  }
}

/** Diagnostics of what the caller named, rather than of what is in it. */
const USAGE_CODES: readonly DiagnosticCode[] = ['not-found', 'bad-config', 'name-clash'];

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError || error instanceof ScaffoldError) return EXIT.usage;
  if (error instanceof InterruptedError) return EXIT.interrupted;
  if (error instanceof ConflictError) return EXIT.conflict;
  if (!(error instanceof DiagnosticError)) return EXIT.internal;
  const usage = error.diagnostics.every(({ code }) => USAGE_CODES.includes(code));
  return usage ? EXIT.usage : EXIT.invalid;
}

/** What to do about an error, where that is known. */
export function helpOf(error: unknown): string | undefined {
  return error instanceof UsageError || error instanceof ScaffoldError ? error.help : undefined;
}
