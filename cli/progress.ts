import { printable } from '../json-schema/text.js';
import type { Stream } from './io.js';

/** Milliseconds between two redraws. */
const PAUSE = 100;

/** Shows progress in one line of a terminal; prints nothing elsewhere. */
export class Progress {
  #isShown = false;
  #last = -Infinity;

  constructor(readonly stream: Stream) {}

  show(text: () => string): void {
    if (!this.stream.canRedraw) return;
    const now = performance.now();
    if (now - this.#last < PAUSE) return;
    this.#last = now;
    this.clear();
    this.stream.write(printable(text()).slice(0, this.stream.width - 1));
    this.#isShown = true;
  }

  /** Call it before other output. */
  clear(): void {
    if (this.#isShown) this.stream.write('\r\u001b[K');
    this.#isShown = false;
  }
}
