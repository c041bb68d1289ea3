import { ERROR_CODES } from '../../generated/2025-11-25/protocol.js';
import { isTerminal } from '../tasks/index.js';
import { CallError, callError, isTransient } from './errors.js';
import { type Link, LONGEST_TIMEOUT } from './link.js';
import { gottenTask, toolResult } from './states.js';
import type { TaskState, ToolResult } from './types.js';
import type { Dialogue, Watch } from './watch.js';

/** `tasks/get`, in either dialect. Rejects with `expired` for a task that the server does not know. */
export async function get(
  link: Link,
  taskId: string,
  signal?: AbortSignal,
): Promise<{ readonly state: TaskState; readonly task: Awaited<ReturnType<Link['request']>> }> {
  try {
    const task = await link.request('tasks/get', { taskId }, signal && { signal });
    return { task, state: gottenTask(link.dialect, taskId, task) };
  } catch (error) {
    throw expiredOr(error);
  }
}

/** A task id is all that can be wrong with these requests. */
export function expiredOr(error: unknown): unknown {
  if (!(error instanceof CallError) || error.failure.reason !== 'rpc_error') return error;
  if (error.failure.error.code !== ERROR_CODES.InvalidParams) return error;
  return callError('expired', `The server does not know the task: ${error.message}`, error);
}

export async function cancel(link: Link, taskId: string): Promise<void> {
  if (link.dialect === 'core' && !link.declares('tasks', 'cancel')) {
    const error = {
      code: ERROR_CODES.MethodNotFound,
      message: 'The server does not let tasks be cancelled',
    };
    throw new CallError({ reason: 'rpc_error', error }, error.message);
  }
  await link.request('tasks/cancel', { taskId });
}

export interface CoreDialogue extends Dialogue {
  /** The task as the server announced it. */
  hear(state: TaskState): void;
}

/** Slots for `tasks/result` requests that wait for tasks which merely work. */
export interface Waits {
  open: number;
}

/** Questions that are being put to somebody here, for a task. */
export interface Asking {
  readonly active: number;
}

/**
 * Follows a task of the core dialect: `tasks/result` is open from the start, so that its answer comes
 * with the end of the task, and is where a task's questions come. Polls notice when that stream is lost.
 */
export function coreDialogue(link: Link, watch: Watch, waits: Waits, asking: Asking): CoreDialogue {
  const { taskId } = watch.state;
  const { limits } = link;
  let waiting: AbortController | undefined;
  /** When the task was first seen to have ended. */
  let endedAt: number | undefined;
  let silence = Math.min(SILENCE, limits.patience / 4);
  let announced = false;
  /** What `tasks/result` answered in the place of a result, and how often. */
  let refusal: CallError | undefined;
  let refusals = 0;

  /** Asks for the result, unless that is under way. */
  function collect(): void {
    const { status } = watch.state;
    if (watch.ended || waiting !== undefined) return;
    if (status === 'working' && waits.open >= limits.waits) return;
    const stop = new AbortController();
    waiting = stop;
    waits.open += 1;
    link
      .request('tasks/result', { taskId }, { signal: stop.signal, timeout: LONGEST_TIMEOUT })
      .then((answer) => collected(toolResult('core', answer)))
      .catch((error: unknown) => refused(error))
      .finally(() => {
        waits.open -= 1;
        if (waiting === stop) waiting = undefined;
      });
  }

  /** The result may be there before anybody has said that the task has ended. */
  function collected(result: ToolResult): void {
    const { statusMessage: _, ...state } = watch.state;
    const status = result.isError === true ? 'failed' : 'completed';
    if (!isTerminal(state.status)) watch.observe({ ...state, status });
    watch.succeed(result);
  }

  /** An error may be what the tool ended with, or mean that there is no result yet: its status tells. */
  function refused(error: unknown): void {
    if (watch.ended) return;
    if (!(error instanceof CallError) || error.reason === 'invalid_answer')
      return watch.fail(error);
    if (error.reason !== 'rpc_error') return;
    refusal = error;
    refusals += 1;
    if (refusals <= MOST_REFUSALS)
      dialogue.poll().catch((failure: unknown) => given(failure, error));
  }

  /** The task that is asked about is gone, and this is what it left behind. */
  function given(failure: unknown, error: CallError): void {
    if (failure instanceof CallError && isTransient(failure)) return;
    watch.fail(watch.state.status === 'failed' ? error : failure);
  }

  /** Whether the stream has said nothing for so long since the task ended that it never will. */
  function isSilent(): boolean {
    return endedAt !== undefined && performance.now() - endedAt > silence;
  }

  function settle({ status }: TaskState): void {
    if (isTerminal(status)) endedAt ??= performance.now();
    if (status === 'cancelled') watch.fail(callError('cancelled', 'The task was cancelled'));
    else collect();
  }

  const dialogue: CoreDialogue = {
    hear(state) {
      announced = true;
      // An announcement may be overtaken by the end that it precedes.
      if (watch.ended || isTerminal(watch.state.status)) return;
      watch.observe(state);
      settle(state);
    },
    async poll() {
      const ended = isTerminal(watch.state.status);
      const { state } = await get(link, taskId, watch.over);
      // The end may have been announced while this was on its way.
      if (!ended && isTerminal(watch.state.status) && !isTerminal(state.status)) return;
      watch.observe(state);
      if (!isTerminal(state.status)) refusal = undefined;
      if (refusal !== undefined) {
        const replayed = state.status === 'failed' && !isOverLimit(refusal);
        if (replayed || refusals > MOST_REFUSALS) return watch.fail(refusal);
      }
      if (isSilent()) {
        waiting?.abort();
        waiting = undefined;
        endedAt = undefined;
        // It may be slow rather than dead.
        silence *= 2;
      }
      settle(state);
    },
    get hurried() {
      return waiting === undefined;
    },
    told: () => announced,
    owed() {
      const { status } = watch.state;
      if (isTerminal(status)) return `The task is ${status}, and its result does not come`;
      if (status === 'input_required' && asking.active === 0) {
        return 'The task waits for input that it does not ask for';
      }
      return undefined;
    },
    cancel: () => cancel(link, taskId),
    end: () => waiting?.abort(),
  };
  settle(watch.state);
  return dialogue;
}

const TOO_MANY = 429;
/** Errors in the place of a result, before they are taken for it. */
const MOST_REFUSALS = 3;
/** Milliseconds. */
const SILENCE = 5_000;

function isOverLimit({ failure }: CallError): boolean {
  return failure.reason === 'rpc_error' && failure.error.code === TOO_MANY;
}
