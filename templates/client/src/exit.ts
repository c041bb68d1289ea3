/** What the process ends with. */
export const EXIT = {
  done: 0,
  /** The connection, the server or this program failed. */
  failed: 1,
  usage: 2,
  /** The tool ran and failed, or the server refused the call. */
  refused: 3,
  /** The task was cancelled, or has expired. */
  gone: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The command line asks for something that does not exist or makes no sense. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
