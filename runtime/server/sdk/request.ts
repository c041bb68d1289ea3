import type { ServerContext } from '@modelcontextprotocol/server';

import { META_KEYS } from '../../protocol/index.js';
import type { Abort, JsonObject } from '../../tasks/index.js';
import { anyObject, isObject, member } from '../../wire/json.js';

/** The longest that the SDK waits for an answer, because people take their time. The request's end ends the wait. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/** What the client declares with this request of revision 2026-07-28. */
export function declaredCapabilities(ctx: ServerContext): unknown {
  return member(ctx.mcpReq.envelope, META_KEYS.clientCapabilities);
}

/** The `inputResponses` of a request. The SDK takes them out of the params of every request. */
export function inputResponses(ctx: ServerContext): JsonObject {
  const given: unknown = ctx.mcpReq.inputResponses;
  return isObject(given) ? given : {};
}

/** In a context that the SDK did not make: how its request ends, without a signal for each request. */
export const ENDINGS = Symbol('endings');

/** Its signal is made when it is first read. */
interface WithSignal extends Abort {
  readonly signal: AbortSignal;
}

interface Endings {
  readonly cancelled: WithSignal;
  readonly gone: WithSignal;
}

function endingsIn(ctx: ServerContext): Endings | undefined {
  return (ctx as { readonly [ENDINGS]?: Endings })[ENDINGS];
}

/** Aborted when the request is cancelled. */
export function cancellationOf(ctx: ServerContext): Abort {
  return endingsIn(ctx)?.cancelled ?? ctx.mcpReq.signal;
}

/** Aborted when the request is cancelled and when its stream is dropped, which the SDK does not report. */
export function endOf(ctx: ServerContext): Abort {
  const own = endingsIn(ctx)?.gone;
  if (own !== undefined) return own;
  const stream = ctx.http?.req?.signal;
  return stream === undefined ? ctx.mcpReq.signal : AbortSignal.any([ctx.mcpReq.signal, stream]);
}

/** The same as a signal. */
export function signalOf(abort: Abort): AbortSignal {
  return abort instanceof AbortSignal ? abort : (abort as WithSignal).signal;
}

/** Sends the client a request on the stream of the request at hand, and resolves with its result. */
export function sendRequest(
  ctx: ServerContext,
  method: string,
  params: JsonObject,
  signal?: AbortSignal,
): Promise<JsonObject> {
  const options = { timeout: LONGEST_TIMEOUT, ...(signal && { signal }) };
  return ctx.mcpReq.send({ method, params }, anyObject, options);
}
