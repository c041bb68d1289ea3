import { type Channel, LazyAbort } from '../../peer/index.js';
import type { JsonObject } from '../../tasks/index.js';

interface Sends {
  send(message: JsonObject, options?: object): Promise<void>;
}

/** What belongs to one message of a client, on a transport of the SDK; or to none, without an `id`. */
export class SdkChannel implements Channel {
  readonly gone = new LazyAbort();
  readonly #transport: Sends;
  readonly #id: unknown;
  readonly #onError: (error: Error) => void;

  constructor(transport: Sends, id: unknown, onError: (error: Error) => void) {
    this.#transport = transport;
    this.#id = id;
    this.#onError = onError;
  }

  send(message: JsonObject): Promise<void> {
    const belongs = this.#id !== undefined && message['method'] !== undefined;
    const options = belongs ? { relatedRequestId: this.#id } : undefined;
    return this.#transport.send(message, options).catch(this.#onError);
  }

  close(): void {
    // The transport ends the stream of a request with its answer.
  }
}
