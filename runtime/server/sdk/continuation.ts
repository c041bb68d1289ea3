import type { ServerContext } from '@modelcontextprotocol/server';

import type { JsonObject } from '../../tasks/index.js';
import type { Answer } from './connected-server.js';

/**
 * Answers that began without the SDK and go on with it: a tool that reports progress, logs or asks needs the
 * SDK's context, and gets it when it first uses it.
 */

/** Receives the SDK's context, and resolves with the answer to the request. */
type Continuation = (ctx: ServerContext) => Promise<JsonObject>;

const CONTINUATIONS = new WeakMap<Request, Continuation>();

/** Gives the next answer to this request to `continuation`. */
export function continueWith(request: Request, continuation: Continuation): void {
  CONTINUATIONS.set(request, continuation);
}

/** An answer that goes on where it has begun. */
export function continuing(answer: Answer): Answer {
  return (params, ctx) => {
    const request = ctx.http?.req;
    const continuation = request && CONTINUATIONS.get(request);
    return continuation === undefined ? answer(params, ctx) : continuation(ctx);
  };
}
