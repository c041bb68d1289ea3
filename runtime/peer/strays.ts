import { beginningOf } from './wire/json.js';

/** How many are kept. Many more say nothing else. */
const MOST = 3;

/** What came and answered no question, as sentences, until the error of a time-out names it. */
export class Strays {
  #kept: string[] = [];

  add(what: string): void {
    this.#kept = [...this.#kept, beginningOf(what)].slice(-MOST);
  }

  /** Takes them as a text that follows a sentence without its full stop; empty if there are none. */
  take(): string {
    const kept = this.#kept;
    this.#kept = [];
    return [...new Set(kept)].map((what) => `. ${what}`).join('');
  }
}
