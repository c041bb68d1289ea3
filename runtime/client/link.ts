import type { Client } from '@modelcontextprotocol/client';

import type { Dialect, JsonObject } from '../tasks/index.js';
import { anyObject, at, isObject } from '../wire/json.js';
import { asCallError } from './errors.js';
import type { ClientLimits } from './limits.js';
import { createPollLimiter, type PollLimiter } from './pacing.js';

/** Milliseconds; the longest that a timer supports. Requests that wait for a task use a signal instead. */
export const LONGEST_TIMEOUT = 2 ** 31 - 1;

/** Sends requests other than `tools/call` on the client's current connection. */
export interface Link {
  readonly dialect: Dialect;
  readonly limits: ClientLimits;
  readonly pollLimiter: PollLimiter;
  /** Whether the server declares the capability at this path. */
  declares(...path: readonly string[]): boolean;
  /** Rejects with a `CallError`. The default timeout is `requestTimeout`. */
  request(
    method: string,
    params: JsonObject,
    options?: { readonly signal?: AbortSignal; readonly timeout?: number },
  ): Promise<JsonObject>;
}

export function createLink(client: Client, limits: ClientLimits): Link {
  return {
    limits,
    pollLimiter: createPollLimiter(limits),
    get dialect() {
      return client.getProtocolEra() === 'modern' ? 'ext' : 'core';
    },
    declares: (...path) => isObject(at(client.getServerCapabilities(), path)),
    async request(method, params, { signal, timeout = limits.requestTimeout } = {}) {
      try {
        return await client.request({ method, params }, anyObject, {
          timeout,
          // Stops the SDK from answering `input_required` itself; callers refuse such an answer.
          allowInputRequired: true,
          ...(signal && { signal }),
        });
      } catch (error) {
        throw asCallError(error);
      }
    },
  };
}
