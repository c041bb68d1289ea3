import type { Abort } from '../tasks/index.js';

/**
 * An abort whose signal is made when it is first read: most answers are sent before that. A signal and its listeners
 * cost a request more than its checks.
 */
export class LazyAbort implements Abort {
  #controller: AbortController | undefined;
  #callback: (() => void) | undefined;
  #listeners: Set<() => void> | undefined;
  #reason = (): unknown => undefined;
  aborted = false;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort(this.#reason());
    }
    return this.#controller.signal;
  }

  /** As the signal has it: an error where none was given. */
  get reason(): unknown {
    return this.aborted ? (this.signal.reason as unknown) : undefined;
  }

  throwIfAborted(): void {
    if (this.aborted) this.signal.throwIfAborted();
  }

  /** Calls back once, before all listeners. There is one callback. */
  onAbort(callback: () => void): void {
    if (this.aborted) callback();
    else this.#callback = callback;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (!this.aborted) (this.#listeners ??= new Set()).add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners?.delete(listener);
  }

  abort(reason: unknown): void {
    this.abortFor(() => reason);
  }

  /** The reason is made when it is first read: an error with its stack takes long. */
  abortFor(reason: () => unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.#reason = reason;
    this.#callback?.();
    this.#controller?.abort(reason());
    for (const listener of this.#listeners ?? []) listener();
    this.#listeners = undefined;
  }
}
