import { META_KEYS } from '../protocol.js';
import { isTerminal, type JsonObject } from '../tasks/index.js';
import { at } from '../peer/wire/json.js';
import { coreTaskSource, type Waits } from './core.js';
import { asCallError, type CallError, callError, withMessage, withReference } from './errors.js';
import { extTaskSource } from './ext.js';
import { taskHandle } from './handle.js';
import type { Link } from './link.js';
import { progressOf } from './progress.js';
import { createInputRequests } from './input-requests.js';
import { pause } from './pacing.js';
import type { CallInputs } from './questions.js';
import { formatReference } from './reference.js';
import type { Statuses } from './statuses.js';
import type { Stop } from './stop.js';
import type { Subscriptions } from './subscriptions.js';
import type { ToolListing } from './tools.js';
import type { InputHandler, CallHandle, FollowOptions, TaskState, ToolResult } from './types.js';
import { createWatch, type TaskSource, type Watch } from './watch.js';

/** A new or resumed task to follow. */
export interface Followed {
  readonly tool: string;
  readonly state: TaskState;
  /** What is wrong with it. */
  readonly problem?: string | undefined;
  /** The result of `tasks/get`, for a resumed task. */
  readonly task?: JsonObject;
  /** The `_meta` of the `CreateTaskResult`. */
  readonly meta?: JsonObject | undefined;
}

/** All tasks that the client follows on one connection. */
export interface Following {
  follow(followed: Followed, options: FollowOptions, answer: InputHandler, stop: Stop): CallHandle;
  /** Fails all calls, because the connection ended. */
  lose(problem: Error | undefined): void;
}

export interface FollowingDependencies {
  readonly link: Link;
  readonly statuses: Statuses;
  readonly subscriptions: Subscriptions;
  /** The calls under way by task id, for input requests that name their task. */
  readonly callInputs: Map<string, CallInputs>;
  readonly tools: ToolListing;
  readonly onProblem: (error: unknown) => void;
}

/** Milliseconds that a stopped call waits for the server to confirm the cancellation. */
const CANCEL_PATIENCE = 5_000;

export function createFollowing(dependencies: FollowingDependencies): Following {
  const { link, statuses, subscriptions, callInputs, tools, onProblem } = dependencies;
  const { limits, pollLimiter } = link;
  const waits: Waits = { open: 0 };
  const watches = new Set<Watch>();

  function followCore(watch: Watch, answer: InputHandler): TaskSource {
    const { taskId } = watch.state;
    const inputs = { active: 0, count: 0, max: limits.inputRequests, answer, watch };
    const source = coreTaskSource(link, watch, waits, inputs);
    callInputs.set(taskId, inputs);
    const end = statuses.on((state) => watch.guard(() => source.update(state)), taskId);
    onOver(watch, () => {
      end();
      if (callInputs.get(taskId) === inputs) callInputs.delete(taskId);
    });
    return source;
  }

  function followExt(watch: Watch, answer: InputHandler, shown?: JsonObject): TaskSource {
    const { state } = watch;
    const inputs = createInputRequests(answer, limits.inputRequests);
    const source = extTaskSource(link, watch, inputs, subscriptions.follow(state.taskId));
    const update = (next: TaskState, task: JsonObject): void =>
      watch.guard(() => source.update(next, task));
    onOver(watch, statuses.on(update, state.taskId));
    if (shown !== undefined) update(state, shown);
    return source;
  }

  /** Checks the result. The error keeps the reference, because the server keeps an invalid result. */
  async function checked(
    result: Promise<ToolResult>,
    tool: string,
    reference: string,
    stop: Stop,
  ): Promise<ToolResult> {
    try {
      const value = await result;
      const answer = Promise.race([tools.checked(tool, value), stop.reached]);
      return await answer.catch((error: unknown) => {
        throw withReference(asCallError(error), reference);
      });
    } finally {
      stop.release();
    }
  }

  return {
    follow({ tool, state, problem, task, meta }, { onStatus, onProgress }, answer, stop) {
      const { dialect, taskId } = state;
      const reference = formatReference({ dialect, taskId, tool });
      const watch = createWatch({
        first: state,
        reference,
        limits,
        pollLimiter,
        onState(next) {
          onStatus?.(next);
          const progress = progressOf(next);
          if (progress) onProgress?.(progress);
        },
        onProblem,
      });
      watch.flawed(problem);
      watches.add(watch);
      onOver(watch, () => watches.delete(watch));
      const source =
        dialect === 'core' ? followCore(watch, answer) : followExt(watch, answer, task);
      watch.run(source);
      stop.reached.catch((reason: CallError) => giveUp(watch, source, reason));
      const result = checked(watch.result, tool, reference, stop);
      // The caller may await it later, or never.
      result.catch(() => undefined);
      const immediate = at(meta, [META_KEYS.modelImmediateResponse]);
      return taskHandle(
        watch,
        source,
        result,
        reference,
        typeof immediate === 'string' ? immediate : undefined,
      );
    },
    lose(problem) {
      const why = problem === undefined ? '' : `: ${problem.message}`;
      const message = `The connection was closed${why}`;
      for (const watch of watches) watch.fail(callError('lost', message, problem));
    },
  };
}

/** Cancels the task and ends the call. The error's message says whether the server confirmed. */
async function giveUp(watch: Watch, source: TaskSource, reason: CallError): Promise<void> {
  if (watch.ended) return;
  watch.stopping(reason);
  const patience = new Promise<void>((resolve) => pause(CANCEL_PATIENCE, resolve));
  const cancelled = source.cancel().then(() => source.poll());
  await Promise.race([cancelled.catch(() => undefined), patience]);
  const fate = isTerminal(watch.state.status) ? 'has ended meanwhile' : 'may still be running';
  watch.fail(withMessage(reason, `${reason.message}; its task ${fate}`));
}

/** Calls back when the call ends; at once if it has ended. */
function onOver({ over }: Watch, callback: () => void): void {
  if (over.aborted) callback();
  else over.addEventListener('abort', callback, { once: true });
}
