import type { DetailedTask } from '../../generated/ext-tasks/types.js';
import { METHODS } from '../protocol.js';
import type { JsonObject } from '../tasks/index.js';
import { isObject } from '../peer/wire/json.js';
import { cancel, expiredOr, get } from './core.js';
import {
  asCallError,
  callError,
  invalidAnswer,
  isTransient,
  retryAfter,
  rpcFailure,
} from './errors.js';
import type { Link } from './link.js';
import { retryDelay, sleep } from './pacing.js';
import type { InputRequests } from './input-requests.js';
import { toolResult } from './states.js';
import type { Follower } from './subscriptions.js';
import type { TaskState } from './types.js';
import type { TaskSource, Watch } from './watch.js';

export interface ExtTaskSource extends TaskSource {
  /** Takes the task, checked, with the fields of its status, from a poll or a notification. */
  update(state: TaskState, task: JsonObject): void;
}

/** Follows a task of the extension, whose every state contains its input requests or its outcome. */
export function extTaskSource(
  link: Link,
  watch: Watch,
  inputs: InputRequests,
  follower: Follower,
): ExtTaskSource {
  const { taskId } = watch.state;
  /** Input requests that wait for their handlers, by key. */
  const asking = new Map<string, AbortController>();

  function answer(inputRequests: JsonObject): void {
    for (const [key, withdrawn] of asking) {
      if (!Object.hasOwn(inputRequests, key)) {
        withdrawn.abort(new Error('The server withdrew the input request'));
      }
    }
    for (const key of inputs.unseen(inputRequests)) {
      const withdrawn = new AbortController();
      asking.set(key, withdrawn);
      respond(key, inputRequests[key], AbortSignal.any([withdrawn.signal, watch.over]))
        .catch((error: unknown) => {
          if (withdrawn.signal.aborted || watch.ended) return;
          watch.fail(error);
          // The task would wait for an answer that never comes.
          source.cancel().catch(() => undefined);
        })
        .finally(() => asking.delete(key));
    }
  }

  async function respond(key: string, entry: unknown, signal: AbortSignal): Promise<void> {
    const response = await inputs.answer(key, entry, signal, taskId);
    asking.delete(key);
    const params = { taskId, inputResponses: { [key]: response } };
    for (let failures = 1; !watch.ended; failures += 1) {
      try {
        return void (await link.request(METHODS.tasksUpdate, params));
      } catch (thrown) {
        const error = asCallError(thrown);
        if (!isTransient(error)) throw expiredOr(error);
        // No limit here, because the polls that fail meanwhile end the call.
        await sleep(Math.max(retryDelay(failures), retryAfter(error)), watch.over);
      }
    }
  }

  const source: ExtTaskSource = {
    update(state, shown) {
      if (watch.ended) return;
      watch.observe(state);
      const task = shown as DetailedTask;
      switch (task.status) {
        case 'completed':
          return watch.succeed(toolResult('ext', task.result));
        case 'failed':
          return watch.fail(rpcFailure(task.error));
        case 'cancelled':
          return watch.fail(callError('cancelled', 'The task was cancelled'));
        case 'input_required':
          return answer(task.inputRequests);
        case 'working':
          return;
      }
    },
    async poll() {
      const { state, problem, task } = await get(link, taskId, watch.over);
      watch.flawed(problem);
      source.update(state, task);
    },
    needsEarlyPoll: true,
    isNotified: () => follower.isNotified,
    overdue: () =>
      watch.state.status === 'input_required' && asking.size === 0
        ? 'The task is input_required, but all its input requests have been answered'
        : undefined,
    cancel: () => cancel(link, taskId),
    end() {
      follower.end();
      for (const withdrawn of asking.values()) withdrawn.abort(new Error('The call has ended'));
    },
  };
  return source;
}

/** The fields of an `input_required` result. Throws `invalid_answer`. */
export function inputRequiredOf({ inputRequests = {}, requestState }: JsonObject): InputRequired {
  if (!isObject(inputRequests)) throw invalidAnswer('inputRequests must be an object');
  if (typeof requestState === 'string') return { inputRequests, requestState };
  if (Object.keys(inputRequests).length > 0) return { inputRequests };
  throw invalidAnswer('An input_required result has neither inputRequests nor requestState');
}

export interface InputRequired {
  readonly inputRequests: JsonObject;
  /** Opaque; the client sends it back unchanged. */
  readonly requestState?: string;
}
