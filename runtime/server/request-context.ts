import { META_KEYS } from '../protocol/index.js';
import type { JsonObject } from '../tasks/index.js';
import type { RequestId } from '../peer/index.js';
import { isObject, member } from '../wire/json.js';
import { type LogLevel, logTo } from './features/logging.js';
import { clientCapabilitiesOf, type ServerExchange } from './origin.js';

/** A request while it is answered, for tools, resources and prompts. A task has none. */
export class RequestContext {
  readonly #exchange: ServerExchange;
  readonly #logs: boolean;

  /** `logs`: whether the server declares that it sends log messages. */
  constructor(exchange: ServerExchange, logs: boolean) {
    this.#exchange = exchange;
    this.#logs = logs;
  }

  get id(): RequestId {
    return this.#exchange.id;
  }

  get method(): string {
    return this.#exchange.method;
  }

  /** `params._meta`. */
  get meta(): JsonObject {
    return this.#exchange.meta ?? {};
  }

  /** The revision that the client speaks. */
  get revision(): string {
    return this.#exchange.revision.version;
  }

  /** Undefined over stdio, and for requests without a session. */
  get sessionId(): string | undefined {
    return this.#exchange.origin.session?.id;
  }

  /** What the client calls itself. It may say anything. */
  get clientInfo(): JsonObject {
    const { origin, meta } = this.#exchange;
    if (origin.session !== undefined) return origin.session.clientInfo;
    const info = member(meta, META_KEYS.clientInfo);
    return isObject(info) ? info : {};
  }

  /** What the client declares that it can do. */
  get clientCapabilities(): JsonObject {
    return clientCapabilitiesOf(this.#exchange);
  }

  /** Aborted when the request is cancelled. */
  get signal(): AbortSignal {
    return this.#exchange.signal;
  }

  /** A header of the HTTP request, by its name in lower case; null where there is none, and over stdio. */
  header(name: string): string | null {
    return this.#exchange.origin.http?.header(name) ?? null;
  }

  /** The HTTP request as the host has it: Node's, or a web request. Undefined over stdio. */
  get original(): unknown {
    return this.#exchange.origin.http?.original;
  }

  /**
   * Sends the client a log message, if it wants messages of this level.
   *
   * @throws {TypeError} unless `createTaskServer({ logging: true })` declares that the server logs.
   */
  log(level: LogLevel, data: unknown, logger?: string): void {
    if (!this.#logs) {
      throw new TypeError(
        'The server does not declare logging: createTaskServer({ logging: true })',
      );
    }
    logTo(this.#exchange, level, data, logger);
  }
}
