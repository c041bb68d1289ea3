import type { JsonObject } from '../../runtime/tasks/index.js';
import { isObject } from '../../runtime/peer/wire/json.js';
import type { Stage } from './player.js';

interface Open {
  readonly method: string;
  readonly params: JsonObject;
  readonly answer: (result: JsonObject) => void;
}

/** Messages for a request that is answered meanwhile. */
type Notify = (method: string, params: JsonObject) => Promise<void>;

/**
 * The stage of a client that gets questions in results, as revisions without sessions have it. A question waits for the
 * request that brings its answer.
 */
export class Questions implements Stage {
  isOver = false;
  /** Where notifications go; nowhere between the requests of the client. */
  to: Notify | undefined;
  readonly #open = new Map<string, Open>();
  #count = 0;
  #onAsked: () => void = () => undefined;

  /** The open questions by their keys. */
  get open(): JsonObject {
    const entries = [...this.#open].map(([key, { method, params }]) => [key, { method, params }]);
    return Object.fromEntries(entries) as JsonObject;
  }

  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  async notify(method: string, params: JsonObject): Promise<void> {
    await this.to?.(method, params);
  }

  ask(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    this.#count += 1;
    const key = `question-${this.#count}`;
    return new Promise((resolve) => {
      const { _meta: _own, ...shown } = params;
      this.#open.set(key, { method, params: shown, answer: resolve });
      signal.addEventListener('abort', () => this.#open.delete(key), { once: true });
      this.#onAsked();
    });
  }

  /** Takes answers by the keys of their questions. Others are ignored. */
  answer(responses: unknown): void {
    for (const [key, result] of Object.entries(isObject(responses) ? responses : {})) {
      const question = this.#open.get(key);
      this.#open.delete(key);
      if (isObject(result)) question?.answer(result);
    }
  }

  /** Resolves when there is a question. Several that are asked at once come together. */
  asked(): Promise<void> {
    return new Promise((resolve) => {
      this.#onAsked = () => setImmediate(resolve);
      if (this.isOpen) resolve();
    });
  }
}
