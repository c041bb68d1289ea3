const MEBIBYTE = 2 ** 20;

/** A server sent more than it may. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';

  constructor(mostBytes: number) {
    super(`the server sent more than ${String(mostBytes / MEBIBYTE)} MiB`);
  }
}
