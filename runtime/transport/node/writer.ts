import type { ServerResponse } from 'node:http';

import type { OutgoingQueue, Reader } from '../queue/outgoing.js';

/** Writes a queue to a response: what comes in one turn of the event loop in one write, and no more than is read. */
export class ResponseWriter implements Reader {
  readonly #queue: OutgoingQueue;
  readonly #outgoing: ServerResponse;
  readonly #resume = (): void => this.#flush();
  #state: 'idle' | 'scheduled' | 'draining' | 'ended' = 'idle';
  #hasHead = false;

  constructor(queue: OutgoingQueue, outgoing: ServerResponse) {
    this.#queue = queue;
    this.#outgoing = outgoing;
  }

  wake(): void {
    if (this.#state !== 'idle') return;
    this.#state = 'scheduled';
    setImmediate(this.#resume);
  }

  /** A connection that is not read does not drain, and is closed all the same. */
  cut(): void {
    this.#state = 'ended';
    this.#outgoing.destroy();
  }

  #flush(): void {
    if (this.#state === 'ended') return;
    this.#state = 'idle';
    for (let piece = this.#queue.take(); piece !== undefined; piece = this.#queue.take()) {
      if (this.#queue.isOver) return this.#end(piece);
      this.#hasHead = true;
      if (this.#outgoing.write(piece)) continue;
      this.#state = 'draining';
      this.#outgoing.once('drain', this.#resume);
      return;
    }
    if (this.#queue.isOver) this.#end('');
    else if (!this.#hasHead) this.#outgoing.flushHeaders();
    this.#hasHead = true;
  }

  #end(piece: string): void {
    this.#state = 'ended';
    this.#outgoing.end(piece);
  }
}
