import { METHODS } from '../protocol.js';
import type { JsonObject } from '../tasks/index.js';
import { asCallError, invalidAnswer } from './errors.js';
import type { InputRequests } from './input-requests.js';
import type { Link } from './link.js';
import { increasing, type ProgressTokens } from './progress.js';
import { roundTrips } from './round-trips.js';
import { createStop } from './stop.js';
import type { Answered, Sent } from './requests.js';
import type { RequestOptions } from './task-client.js';
import type { ToolListing } from './tools.js';

export interface RequestingParts {
  readonly link: Link;
  readonly progress: ProgressTokens;
  readonly tools: ToolListing;
  /** The input requests that precede the result of one request. */
  readonly inputsOf: (options: RequestOptions) => InputRequests;
}

export type Requesting = <M extends string>(
  method: M,
  params?: Sent<M>,
  options?: RequestOptions,
) => Promise<Answered<M>>;

/** Sends any request but the calls of tools that may become tasks. Rejects with a `CallError`. */
export function createRequesting({ link, progress, tools, inputsOf }: RequestingParts): Requesting {
  async function request(
    method: string,
    params: JsonObject & { readonly _meta?: JsonObject } = {},
    given: RequestOptions = {},
  ): Promise<JsonObject> {
    const { timeout = link.limits.requestTimeout, onProgress, meta, checksItself } = given;
    const stop = createStop({ ...(given.signal && { signal: given.signal }) });
    const token = onProgress && progress.issue(increasing(onProgress));
    const own = { ...meta, ...(token && { progressToken: token.token }) };
    const _meta = { ...params._meta, ...own };
    try {
      const answer = await roundTrips(
        (more) => {
          const all = { ...params, ...more, ...(Object.keys(_meta).length > 0 && { _meta }) };
          return link.request(method, all, { signal: stop.signal, timeout, checksItself });
        },
        inputsOf(given),
        stop,
      );
      if (answer.resultType === 'task') {
        throw invalidAnswer(`The server answered ${method} with a task, which only call() follows`);
      }
      if (method === METHODS.toolsList) tools.remember(answer);
      return answer;
    } catch (error) {
      throw asCallError(error);
    } finally {
      stop.release();
      token?.end();
    }
  }
  return request as Requesting;
}
