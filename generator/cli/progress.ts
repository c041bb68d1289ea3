import { printable } from '../diagnostics/index.js';
import type { Stream } from './io.js';

/** Between two redraws, in milliseconds. */
const PAUSE = 100;

/** One line on a terminal that tells how far a command is; nothing elsewhere. */
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

  /** To be called before anything else is written. */
  clear(): void {
    if (this.#isShown) this.stream.write('\r\u001b[K');
    this.#isShown = false;
  }
}
