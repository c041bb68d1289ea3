import type { InputResponse } from '../../generated/2026-07-28/types.js';
import { METHODS } from '../protocol.js';
import type { JsonObject } from '../tasks/index.js';
import { messagesOf } from '../peer/wire/revision.js';
import { callError, invalidAnswer } from './errors.js';
import { dialectOf } from './revisions.js';
import type { InputHandlers, InputHandler, InputRequest } from './types.js';

/** A handler of all kinds of input requests, from one handler for each kind. */
export function inputHandlerOf(handlers: InputHandlers): InputHandler {
  return async (request) => {
    const answer = await callHandler(handlers, request);
    if (answer !== undefined) return answer as JsonObject;
    throw new Error(`No handler for ${request.method}: set it in the option answer`);
  };
}

function callHandler(handlers: InputHandlers, request: InputRequest): unknown {
  switch (request.method) {
    case METHODS.elicitationCreate:
      return request.params.mode === 'url'
        ? handlers.url?.(request.params, request)
        : handlers.form?.(request.params, request);
    case METHODS.samplingCreateMessage:
      return handlers.sampling?.(request.params, request);
    case METHODS.rootsList:
      return handlers.roots?.(request);
  }
}

/** An entry of `inputRequests` (revision 2026-07-28). Throws `invalid_answer` when it is invalid. */
function parseInputRequest(
  key: string,
  entry: unknown,
  more: Pick<InputRequest, 'signal' | 'taskId'>,
): InputRequest {
  const checked = dialectOf('ext').validateInputRequest?.(entry);
  if (checked?.ok !== true) {
    const problems = messagesOf(checked?.errors ?? []);
    throw invalidAnswer(`Invalid input request at inputRequests/${key}: ${problems}`);
  }
  const { method, params = {} } = checked.value;
  // What this revision asks has the members that 2025-11-25 knows.
  return { method, params, ...more } as InputRequest;
}

/** The input requests of one call. Each key is answered once, and their number is limited. */
export interface InputRequests {
  /**
   * The keys that this function has not returned before. `scope` separates round trips, because they may
   * reuse keys. Throws `invalid_answer` beyond the limit.
   */
  unseen(inputRequests: JsonObject, scope?: string): readonly string[];
  /** Resolves with the answer. Rejects with `invalid_answer`, or `input_failed`. */
  answer(key: string, entry: unknown, signal: AbortSignal, taskId?: string): Promise<InputResponse>;
}

export function createInputRequests(answer: InputHandler, max: number): InputRequests {
  const seen = new Set<string>();
  return {
    unseen(inputRequests, scope = '') {
      const keys = Object.keys(inputRequests).filter((key) => !seen.has(scope + key));
      for (const key of keys) seen.add(scope + key);
      if (seen.size <= max) return keys;
      throw invalidAnswer(
        `The call received more than ${max} input requests (limit inputRequests)`,
      );
    },
    async answer(key, entry, signal, taskId) {
      const more = { signal, ...(taskId !== undefined && { taskId }) };
      const request = parseInputRequest(key, entry, more);
      const given = await ask(answer, request);
      const problem = dialectOf('ext').revision.checkSent(request.method, given);
      if (problem === undefined) return given as InputResponse;
      throw callError(
        'input_failed',
        `The handler of ${request.method} returned an invalid answer to ${key}: ${problem.message}`,
      );
    },
  };
}

async function ask(answer: InputHandler, request: InputRequest): Promise<JsonObject> {
  try {
    return await answer(request);
  } catch (error) {
    throw callError('input_failed', `The handler of ${request.method} failed`, error);
  }
}
