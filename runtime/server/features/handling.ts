import { METHODS } from '../../protocol/index.js';
import type { CallerIdentity, ElicitAnswer, JsonObject, TaskControls } from '../../tasks/index.js';
import type { AskClient } from '../asks.js';
import type { ServerExchange } from '../origin.js';
import type { RequestContext } from '../request-context.js';

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
export type Questions = Pick<TaskControls, 'elicit' | 'sample' | 'input'>;

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
  readonly questions: (
    exchange: ServerExchange,
    params: JsonObject,
    request: unknown,
    work: (ask: AskClient) => Promise<JsonObject>,
  ) => Promise<JsonObject>;
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
    elicit: (params, options) =>
      ask(METHODS.elicitationCreate, params, options) as Promise<JsonObject & ElicitAnswer>,
    sample: (params, options) => ask(METHODS.samplingCreateMessage, params, options),
    input: ask,
  };
  return Object.assign(request, more);
}
