import { ERROR_CODES } from '../../protocol.js';
import type { JsonObject } from '../../tasks/index.js';
import type { AnySdkTransport } from '../../peer/wire/sdk-transport.js';

/** Which request of the other side a message belongs to, as the SDK says it to a transport. */
export interface SendOptions {
  readonly relatedRequestId?: string | number | undefined;
}

/** What a transport of the SDK says of a message, in the words of its first and its second version. */
export interface MessageExtra {
  readonly authInfo?: unknown;
  readonly requestInfo?: { readonly headers?: unknown } | undefined;
  readonly request?: Request | undefined;
}

/** A transport of the SDK for servers, as its users implement it. */
export interface SdkTransport extends AnySdkTransport {
  setSupportedProtocolVersions?: ((versions: string[]) => void) | undefined;
}

/** The host's end of a linked pair. */
export interface HostEnd {
  /** Takes a message of the guest. Resolves when the next one may come. */
  receive(message: JsonObject, options: SendOptions | undefined): Promise<void> | void;
  /** The guest has closed the connection. */
  closed(): void;
}

/** Messages that a guest may send in one turn of the event loop, which it would keep from others. */
const IN_A_TURN = 64;

/** The guest's end of a linked pair: a transport of the SDK, in memory. */
export class GuestTransport {
  onmessage: ((message: JsonObject, extra?: MessageExtra) => void) | undefined;
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  readonly #host: HostEnd;
  readonly #sessionId: () => string | undefined;
  #sent = 0;
  #closed = false;

  constructor(host: HostEnd, sessionId: () => string | undefined) {
    this.#host = host;
    this.#sessionId = sessionId;
  }

  get sessionId(): string | undefined {
    return this.#sessionId();
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  async send(message: object, options?: SendOptions): Promise<void> {
    if (this.#closed) throw new Error('The connection is closed');
    // A copy, as a client gets it: the guest may change its objects later, and they may hold what JSON does not.
    await this.#host.receive(copied(message), options);
    this.#sent += 1;
    if (this.#sent % IN_A_TURN === 0) await new Promise((resume) => setTimeout(resume, 0));
  }

  close(): Promise<void> {
    if (this.end()) this.#host.closed();
    return Promise.resolve();
  }

  /** Gives the guest a message. */
  deliver(message: JsonObject, extra?: MessageExtra): void {
    if (!this.#closed) this.onmessage?.(message, extra);
  }

  /** Tells the guest that the connection has closed. Whether it was open. */
  end(): boolean {
    if (this.#closed) return false;
    this.#closed = true;
    this.onclose?.();
    return true;
  }
}

function copied(message: object): JsonObject {
  try {
    return JSON.parse(JSON.stringify(message)) as JsonObject;
  } catch (error) {
    const { id, method } = message as JsonObject;
    // The SDK would send no answer at all.
    if (id === undefined || method !== undefined) throw error;
    const text = `The answer is not JSON: ${error instanceof Error ? error.message : 'unknown'}`;
    return { jsonrpc: '2.0', id, error: { code: ERROR_CODES.InternalError, message: text } };
  }
}
