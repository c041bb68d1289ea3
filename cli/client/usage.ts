/** Ctrl-C ended the command before it had a result. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** The command line asks for something that does not exist or makes no sense. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(
    message: string,
    /** What to do instead. */
    readonly help?: string,
  ) {
    super(message);
  }
}
