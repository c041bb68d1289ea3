import type { JsonObject, RpcError } from '../tasks/index.js';
import { isObject } from '../wire/json.js';
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
import type { Questions } from './questions.js';
import { toolResult } from './states.js';
import type { Follower } from './subscriptions.js';
import type { TaskState } from './types.js';
import type { Dialogue, Watch } from './watch.js';

export interface ExtDialogue extends Dialogue {
  /** The task with all that its status calls for, from a poll or a notification. */
  hear(state: TaskState, task: JsonObject): void;
}

/** Follows a task of the extension, where every showing of it has its questions, or how it ended. */
export function extDialogue(
  link: Link,
  watch: Watch,
  questions: Questions,
  follower: Follower,
): ExtDialogue {
  const { taskId } = watch.state;
  /** Questions that are being put to somebody here. */
  const asking = new Map<string, AbortController>();

  function answer(inputRequests: JsonObject): void {
    for (const [key, withdrawn] of asking) {
      if (!Object.hasOwn(inputRequests, key)) withdrawn.abort(new Error('No longer asked'));
    }
    for (const key of questions.fresh(inputRequests)) {
      const withdrawn = new AbortController();
      asking.set(key, withdrawn);
      respond(key, inputRequests[key], AbortSignal.any([withdrawn.signal, watch.over]))
        .catch((error: unknown) => {
          if (withdrawn.signal.aborted || watch.ended) return;
          watch.fail(error);
          // Nobody is going to answer.
          dialogue.cancel().catch(() => undefined);
        })
        .finally(() => asking.delete(key));
    }
  }

  async function respond(key: string, entry: unknown, signal: AbortSignal): Promise<void> {
    const response = await questions.answer(key, entry, signal, taskId);
    asking.delete(key);
    const params = { taskId, inputResponses: { [key]: response } };
    for (let failures = 1; !watch.ended; failures += 1) {
      try {
        return void (await link.request('tasks/update', params));
      } catch (thrown) {
        const error = asCallError(thrown);
        if (!isTransient(error)) throw expiredOr(error);
        // Polls fail as well, and it is theirs to lose patience.
        await sleep(Math.max(retryDelay(failures), retryAfter(error)), watch.over);
      }
    }
  }

  const dialogue: ExtDialogue = {
    hear(state, task) {
      if (watch.ended) return;
      watch.observe(state);
      switch (task['status']) {
        case 'completed':
          return watch.succeed(toolResult('ext', task['result'] as JsonObject));
        case 'failed':
          return watch.fail(rpcFailure(task['error'] as RpcError));
        case 'cancelled':
          return watch.fail(callError('cancelled', 'The task was cancelled'));
        case 'input_required':
          return answer(task['inputRequests'] as JsonObject);
      }
    },
    async poll() {
      const { state, task } = await get(link, taskId, watch.over);
      dialogue.hear(state, task);
    },
    hurried: true,
    told: () => follower.told,
    owed: () =>
      watch.state.status === 'input_required' && asking.size === 0
        ? 'The task waits for answers that it was given'
        : undefined,
    cancel: () => cancel(link, taskId),
    end() {
      follower.end();
      for (const withdrawn of asking.values()) withdrawn.abort(new Error('The call has ended'));
    },
  };
  return dialogue;
}

/** What an answer asks before it is one. Throws `invalid_answer` for an answer of another kind. */
export function roundOf({ resultType, inputRequests = {}, requestState }: JsonObject): Round {
  if (resultType !== 'input_required') {
    throw invalidAnswer(`Not an answer to tools/call: resultType ${JSON.stringify(resultType)}`);
  }
  if (!isObject(inputRequests)) throw invalidAnswer('inputRequests must be an object');
  if (typeof requestState === 'string') return { inputRequests, requestState };
  if (Object.keys(inputRequests).length > 0) return { inputRequests };
  throw invalidAnswer('An input_required answer asks nothing, and has no state either');
}

export interface Round {
  readonly inputRequests: JsonObject;
  /** To be sent back as it came. */
  readonly requestState?: string;
}
