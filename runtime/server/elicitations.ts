import { elicitationOf, type InputEntry } from '../tasks/index.js';

/** More than any client has open. */
const MOST = 1_000;

/** The questions by URL that a client was asked, by their ids: no other client may be told that they are over. */
export class Elicitations {
  readonly #ids = new Set<string>();

  /** Remembers a question that goes to the client. */
  asked(entry: InputEntry): void {
    const id = elicitationOf(entry);
    if (id === undefined) return;
    this.#ids.add(id);
    for (const oldest of this.#ids) {
      if (this.#ids.size <= MOST) return;
      this.#ids.delete(oldest);
    }
  }

  /** Those of the questions on whose pages the user is done. Each is returned once. */
  completedIn(input: readonly InputEntry[]): string[] {
    if (this.#ids.size === 0) return [];
    return input
      .filter(({ completed }) => completed)
      .flatMap((entry) => elicitationOf(entry) ?? [])
      .filter((id) => this.#ids.delete(id));
  }
}
