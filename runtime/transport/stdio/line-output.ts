import { type Channel, LazyAbort } from '../../peer/index.js';
import type { JsonObject } from '../../tasks/index.js';
import { createBacklog } from '../queue/backlog.js';
import { OutgoingQueue, type Reader } from '../queue/outgoing.js';
import type { LineTarget } from './streams.js';

/** What may wait before the connection is closed. */
const MOST_EVER = 2 ** 26;

export interface LineOutputOptions {
  readonly target: LineTarget;
  /** Called when so little waits again that more may be asked for. */
  readonly onRoom: () => void;
  /** Called when messages begin to be dropped, and when too much waits although nothing more is asked for. */
  readonly onTooSlow: () => void;
  /** Called when too much waits. */
  readonly onOverflow: () => void;
}

/** Everything that goes out of a pipe. The messages of one turn of the event loop are written at once. */
export class LineOutput implements Channel, Reader {
  /** Nothing but the end of the connection ends it, and then peers end what is open. */
  readonly gone = new LazyAbort();
  readonly #queue: OutgoingQueue;
  readonly #options: LineOutputOptions;
  readonly #resume = (): void => this.#flush();
  #state: 'idle' | 'scheduled' | 'draining' | 'closed' = 'idle';
  #wasFull = false;

  constructor(options: LineOutputOptions) {
    const { onTooSlow } = options;
    this.#options = options;
    // There is one pipe in a process, whose own bounds are enough.
    const backlog = createBacklog(Infinity);
    this.#queue = new OutgoingQueue({ backlog, onTooSlow, most: MOST_EVER, dropsLogs: true });
    this.#queue.attach(this);
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  get isFull(): boolean {
    return this.#queue.isFull;
  }

  send(message: JsonObject, text: string): Promise<void> | undefined {
    const sent = this.#queue.push(`${text}\n`, message);
    this.#wasFull ||= this.#queue.isFull;
    return sent;
  }

  close(): void {
    // The pipe outlives each message.
  }

  wake(): void {
    if (this.#state !== 'idle') return;
    this.#state = 'scheduled';
    setImmediate(this.#resume);
  }

  cut(): void {
    this.#options.onOverflow();
  }

  /** Hands over what waits: the connection ends. */
  end(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#writeAll(true);
    this.#queue.close();
  }

  #flush(): void {
    if (this.#state === 'closed') return;
    this.#state = 'idle';
    if (!this.#writeAll(false)) {
      this.#state = 'draining';
      this.#options.target.once('drain', this.#resume);
    }
    if (!this.#wasFull || this.#queue.isFull) return;
    this.#wasFull = false;
    this.#options.onRoom();
  }

  /** Returns whether the target takes more. */
  #writeAll(isForced: boolean): boolean {
    for (let piece = this.#queue.take(); piece !== undefined; piece = this.#queue.take()) {
      if (!this.#options.target.write(piece) && !isForced) return false;
    }
    return true;
  }
}
