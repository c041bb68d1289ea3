import type { JsonObject } from '../../tasks/index.js';

export interface Notification {
  readonly method: string;
  readonly params: JsonObject;
}

/** Makes a notification when its turn comes; undefined for one that is no longer needed. */
export type Entry = () => Notification | undefined | Promise<Notification | undefined>;

/**
 * What one reader still has to get. One notification is sent at a time, so that a slow reader costs no queue. While one
 * waits, a later one of the same key takes its place.
 */
export class Outbox {
  readonly #send: (notification: Notification) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #waiting = new Map<string, Entry>();
  #state: 'paused' | 'idle' | 'sending' | 'closed' = 'paused';
  #onIdle: (() => void) | undefined;

  constructor(
    send: (notification: Notification) => Promise<void>,
    onError: (error: unknown) => void,
  ) {
    this.#send = send;
    this.#onError = onError;
  }

  /** Sends what waits, and from now on what is put. Calls back each time that nothing is left. */
  start(onIdle?: () => void): void {
    if (this.#state !== 'paused') return;
    this.#onIdle = onIdle;
    void this.#drain();
  }

  get isIdle(): boolean {
    return this.#state === 'idle';
  }

  put(key: string, entry: Entry): void {
    if (this.#state === 'closed') return;
    this.#waiting.set(key, entry);
    if (this.#state === 'idle') void this.#drain();
  }

  close(): void {
    this.#state = 'closed';
    this.#waiting.clear();
  }

  async #drain(): Promise<void> {
    this.#state = 'sending';
    // Also visits what is put meanwhile.
    for (const [key, entry] of this.#waiting) {
      this.#waiting.delete(key);
      try {
        const notification = await entry();
        if (notification !== undefined && !this.#isClosed()) await this.#send(notification);
      } catch (error) {
        this.#onError(error);
      }
    }
    if (this.#isClosed()) return;
    this.#state = 'idle';
    this.#onIdle?.();
  }

  #isClosed(): boolean {
    return this.#state === 'closed';
  }
}
