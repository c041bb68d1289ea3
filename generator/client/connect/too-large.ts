const MEBIBYTE = 2 ** 20;

/** A server sent more than it may. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';

  constructor(mostBytes: number) {
    super(`the server sent more than ${String(mostBytes / MEBIBYTE)} MiB`);
  }
}

/** A server sent a longer line, which is one message, than it may. */
export class LineTooLarge extends Error {
  override readonly name = 'LineTooLarge';

  constructor(mostBytes: number) {
    super(
      `The server sent a message of more than ${String(mostBytes)} bytes (option --max-message)`,
    );
  }
}
