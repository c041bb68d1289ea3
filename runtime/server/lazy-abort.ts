/** An abort whose signal is made when it is first read: most answers are sent before that. */
export class LazyAbort {
  #controller: AbortController | undefined;
  #callback: (() => void) | undefined;
  #reason: unknown;
  aborted = false;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Calls back once, before the listeners of the signal. There is one callback. */
  onAbort(callback: () => void): void {
    if (this.aborted) callback();
    else this.#callback = callback;
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.#reason = reason;
    this.#callback?.();
    this.#controller?.abort(reason);
  }
}
