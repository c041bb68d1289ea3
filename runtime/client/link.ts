import type { Client } from '@modelcontextprotocol/client';

import type { Dialect, JsonObject } from '../tasks/index.js';
import { anyObject, at, isObject } from '../wire/json.js';
import { asCallError } from './errors.js';
import type { ClientLimits } from './limits.js';
import { createGate, type Gate } from './pacing.js';

/** The longest that timers can; what ends a request that waits is the end of the wait. */
export const LONGEST_TIMEOUT = 2 ** 31 - 1;

/** Requests beside `tools/call`, on whichever connection the client has. */
export interface Link {
  readonly dialect: Dialect;
  readonly limits: ClientLimits;
  readonly gate: Gate;
  /** Whether the server declares something at this path of its capabilities. */
  declares(...path: readonly string[]): boolean;
  /** Rejects with a `CallError`. Without a time-out it is a short request's. */
  request(
    method: string,
    params: JsonObject,
    options?: { readonly signal?: AbortSignal; readonly timeout?: number },
  ): Promise<JsonObject>;
}

export function createLink(client: Client, limits: ClientLimits): Link {
  return {
    limits,
    gate: createGate(limits),
    get dialect() {
      return client.getProtocolEra() === 'modern' ? 'ext' : 'core';
    },
    declares: (...path) => isObject(at(client.getServerCapabilities(), path)),
    async request(method, params, { signal, timeout = limits.requestTimeout } = {}) {
      try {
        return await client.request({ method, params }, anyObject, {
          timeout,
          // Only tool calls may be answered by questions; anything else comes back to be refused.
          allowInputRequired: true,
          ...(signal && { signal }),
        });
      } catch (error) {
        throw asCallError(error);
      }
    },
  };
}
