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

/** The continuations of requests that came through a pipe, by their ids. */
export type Continuations = Map<unknown, Continuation>;

/** Gives the next answer to this request to `continuation`. */
export function continueWith(request: Request, continuation: Continuation): void {
  CONTINUATIONS.set(request, continuation);
}

/** An answer that goes on where it has begun. */
export function continuing(answer: Answer, ofPipe: Continuations): Answer {
  return (params, ctx) => {
    const request = ctx.http?.req;
    const { id } = ctx.mcpReq;
    const continuation = request ? CONTINUATIONS.get(request) : ofPipe.get(id);
    ofPipe.delete(id);
    return continuation === undefined ? answer(params, ctx) : continuation(ctx);
  };
}
