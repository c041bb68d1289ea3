import type { LoggingLevel } from '../../generated/2025-11-25/types.js';
import type { InputRequiredResult } from '../../generated/2026-07-28/types.js';
import type { RequestId } from '../peer/index.js';
import { META_KEYS, METHODS } from '../protocol.js';
import type { CallerIdentity, JsonObject } from '../tasks/index.js';
import { isObject, member } from '../peer/wire/json.js';
import { LOG_LEVELS } from '../rules/messages.js';
import { elicitBy, sampleBy, type ToolControls } from './elicit.js';
import type { AskClient } from './asks.js';
import { clientCapabilitiesOf, type FeatureRows, type ServerExchange } from './session.js';

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

/** What every handler of an author gets. */
export interface HandlerRequest {
  /** Who sent the request. Undefined where nothing identifies callers: over stdio, and with `allowUnidentified`. */
  readonly caller: CallerIdentity | undefined;
  readonly request: RequestContext;
}

/**
 * Questions to the client. Without sessions the handler starts again from the beginning after each answer, so that it
 * must not do before a question what must not happen twice.
 */
export type Questions = Pick<ToolControls, 'elicit' | 'sample' | 'input'>;

/** What the params of a request hold that comes again with answers. */
export interface Round {
  readonly requestState?: unknown;
  readonly inputResponses?: unknown;
}

/** What handlers need of the endpoint. */
export interface RequestParts {
  readonly identityOf: (exchange: ServerExchange) => CallerIdentity | undefined;
  readonly contextOf: (exchange: ServerExchange) => RequestContext;
}

export interface HandlerParts extends RequestParts {
  /**
   * Runs `work` with a function that asks the client. Resolves with the answer to the request: the result of `work`, or
   * questions. `request` tells it from others when it comes again with answers.
   */
  readonly questions: <R extends object>(
    exchange: ServerExchange,
    params: Round,
    request: unknown,
    work: (ask: AskClient) => Promise<R>,
  ) => Promise<R | InputRequiredResult>;
}

export function handlerRequest(parts: RequestParts, exchange: ServerExchange): HandlerRequest {
  return { caller: parts.identityOf(exchange), request: parts.contextOf(exchange) };
}

/** What a handler gets, with something of its own. */
export function askingRequest<M extends object>(
  parts: RequestParts,
  exchange: ServerExchange,
  ask: AskClient,
  more: M,
): HandlerRequest & Questions & M {
  const request: HandlerRequest & Questions = {
    caller: parts.identityOf(exchange),
    request: parts.contextOf(exchange),
    elicit: elicitBy(ask),
    sample: sampleBy(ask),
    input: ask,
  };
  return Object.assign(request, more);
}

export type LogLevel = LoggingLevel;

/** What a session gets until its client sets a level, which the specification leaves to the server. */
const FIRST_LEVEL = 'info';

/** `logging/setLevel` of sessions. */
export function loggingRows(): FeatureRows<'logging'> {
  return {
    [METHODS.loggingSetLevel]: {
      answer({ level }, { origin }) {
        if (origin.session !== undefined) origin.session.logLevel = level;
        return {};
      },
    },
  };
}

export function loggingCapabilities({ logging }: { readonly logging: boolean }): JsonObject {
  return logging ? { logging: {} } : {};
}

/** Sends a log message that belongs to a request, where its client wants those of this level. */
function logTo(exchange: ServerExchange, level: LogLevel, data: unknown, logger?: string): void {
  const severity = LOG_LEVELS.indexOf(level);
  if (severity < 0) {
    throw new TypeError(
      `Unknown level ${JSON.stringify(level)}: choose from ${LOG_LEVELS.join(', ')}`,
    );
  }
  const least = wantedBy(exchange);
  if (least === undefined || severity < LOG_LEVELS.indexOf(least as LogLevel)) return;
  const params = { level, data, ...(logger !== undefined && { logger }) };
  // A message that is not JSON, or whose client has disconnected, is lost: it must not fail the request.
  exchange.notify(METHODS.notificationsMessage, params).catch(() => undefined);
}

/** A request without a session names its level. Without one its client gets no messages. */
function wantedBy({ origin, meta }: ServerExchange): unknown {
  const { session } = origin;
  return session === undefined
    ? member(meta, META_KEYS.logLevel)
    : (session.logLevel ?? FIRST_LEVEL);
}
