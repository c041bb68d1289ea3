/** A recording cannot be made as it was asked for. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';

  constructor(
    message: string,
    /** What to do instead. */
    readonly help: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
