/** The messages that a connection is sending, beside requests. */
export class Sends {
  readonly #ends = new Map<Promise<void>, (reason: Error) => void>();

  get underWay(): readonly Promise<void>[] {
    return [...this.#ends.keys()];
  }

  /** Resolves or rejects as `sent` does, and rejects when the connection ends before. */
  track(sent: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#ends.set(sent, reject);
      sent.then(resolve, reject).finally(() => this.#ends.delete(sent));
    });
  }

  /** A pipe to a process that reads nothing more never takes a message: the end of the connection ends the wait. */
  end(reason: Error): void {
    for (const reject of this.#ends.values()) reject(reason);
  }
}
