import { DiagnosticError, systemFailure } from '../generator/diagnostics/index.js';
import type { DiagnosticCode } from '../generator/diagnostics/index.js';
import { ScaffoldError } from '../generator/scaffold/index.js';
import { ConflictError } from '../generator/write/index.js';

/** The exit codes. Scripts depend on them, so they never change their meaning. */
export const EXIT = {
  done: 0,
  internal: 1,
  usage: 2,
  invalid: 3,
  stale: 4,
  conflict: 5,
  refused: 6,
  gone: 7,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The command line is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(
    message: string,
    readonly help?: string,
  ) {
    super(message);
  }
}

/** The user cancelled a prompt, or a program that a command started. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';

  constructor(
    message = 'Interrupted: nothing was written.',
    readonly help?: string,
  ) {
    super(message);
  }
}

/** A command failed with an exit code and data of its own. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  /** What it found all the same, for standard output. */
  readonly text: string;

  constructor(
    message: string,
    readonly exitCode: ExitCode,
    readonly help: string | undefined,
    /** Members of `error` in the JSON document. */
    readonly data: object,
    options: ErrorOptions & { readonly text?: string | undefined } = {},
  ) {
    super(message, options);
    this.text = options.text ?? '';
  }
}

/** Diagnostics about arguments, which end with exit code 2 instead of 3. */
const USAGE_CODES: readonly DiagnosticCode[] = ['not-found', 'bad-config', 'bad-ref', 'name-clash'];

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandFailure) return error.exitCode;
  if (error instanceof UsageError || error instanceof ScaffoldError) return EXIT.usage;
  if (error instanceof InterruptedError) return EXIT.interrupted;
  if (error instanceof ConflictError) return EXIT.conflict;
  if (!(error instanceof DiagnosticError)) return isWrongPath(error) ? EXIT.usage : EXIT.internal;
  const usage = error.diagnostics.every(({ code }) => USAGE_CODES.includes(code));
  return usage ? EXIT.usage : EXIT.invalid;
}

/** Whether a file or folder that the user named cannot be used. A full disk is no wrong usage. */
function isWrongPath(error: unknown): boolean {
  const failed = systemFailure(error);
  return failed !== undefined && failed.code !== 'ENOSPC';
}

/** The help of an error, if it has one. */
export function helpOf(error: unknown): string | undefined {
  const kinds = [UsageError, ScaffoldError, InterruptedError, CommandFailure];
  return kinds.some((kind) => error instanceof kind) ? (error as UsageError).help : undefined;
}
