/** The result of a command. */
export interface CommandResult {
  /**
   * `unsaved`: the result is complete, but a file of it could not be saved. `invalid`: a part of the result breaks the
   * protocol. `interrupted`: Ctrl-C ended the wait for a
   * task, which goes on.
   */
  readonly end: 'done' | 'unsaved' | 'invalid' | 'interrupted';
  /** For users, on standard output. */
  readonly text: string;
  /** For programs, with `--json`. */
  readonly data: object;
}

export function done(text: string, data: object): CommandResult {
  return { end: 'done', text, data };
}
