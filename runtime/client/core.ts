import { ERROR_CODES, METHODS } from '../protocol.js';
import { isTerminal } from '../tasks/index.js';
import { CallError, callError, isTransient } from './errors.js';
import type { Link } from './link.js';
import { fetchedTask, toolResult } from './states.js';
import type { TaskState, ToolResult } from './types.js';
import type { TaskSource, Watch } from './watch.js';

/** `tasks/get`, in either dialect. Rejects with `expired` when the server has no such task. */
export async function get(
  link: Link,
  taskId: string,
  signal?: AbortSignal,
): Promise<ReturnType<typeof fetchedTask>> {
  try {
    const answer = await link.request(METHODS.tasksGet, { taskId }, { signal, checksItself: true });
    return fetchedTask(link.dialect, taskId, answer);
  } catch (error) {
    throw expiredOr(error);
  }
}

/** `-32602` means `expired`, because the task id is the only param that can be invalid. */
export function expiredOr(error: unknown): unknown {
  if (!(error instanceof CallError) || error.failure.reason !== 'rpc_error') return error;
  if (error.failure.error.code !== ERROR_CODES.InvalidParams) return error;
  return callError('expired', `The server has no such task: ${error.message}`, error);
}

export async function cancel(link: Link, taskId: string): Promise<void> {
  if (link.dialect === 'core' && !link.serves(METHODS.tasksCancel)) {
    const error = {
      code: ERROR_CODES.MethodNotFound,
      message: 'The server does not declare tasks.cancel, so the task cannot be cancelled',
    };
    throw new CallError({ reason: 'rpc_error', error }, error.message);
  }
  await link.request(METHODS.tasksCancel, { taskId });
}

export interface CoreTaskSource extends TaskSource {
  /** Takes the state in a status notification. */
  update(state: TaskState): void;
}

/** Counts the open `tasks/result` requests of all tasks. */
export interface Waits {
  open: number;
}

/** Counts the input requests of a task that wait for their handlers. */
export interface Asking {
  readonly active: number;
}

/**
 * Follows a task of the core dialect. It calls `tasks/result` at once: the answer arrives when the task
 * ends, and the server sends input requests on that stream. Polls detect when the stream is lost.
 */
export function coreTaskSource(
  link: Link,
  watch: Watch,
  waits: Waits,
  asking: Asking,
): CoreTaskSource {
  const { taskId } = watch.state;
  const { limits } = link;
  let waiting: AbortController | undefined;
  /** When the client first saw a final status. */
  let endedAt: number | undefined;
  let silence = Math.min(SILENCE, limits.patience / 4);
  let announced = false;
  /** The last error that `tasks/result` returned, and the number of such errors. */
  let refusal: CallError | undefined;
  let refusals = 0;

  /** Calls `tasks/result`, unless a call is under way. */
  function collect(): void {
    const { status } = watch.state;
    if (watch.ended || waiting !== undefined) return;
    if (status === 'working' && waits.open >= limits.waits) return;
    const stop = new AbortController();
    waiting = stop;
    waits.open += 1;
    link
      .ask(METHODS.tasksResult, { taskId }, { signal: stop.signal })
      .then((answer) => collected(toolResult('core', answer)))
      .catch((error: unknown) => refused(error))
      .finally(() => {
        waits.open -= 1;
        if (waiting === stop) waiting = undefined;
      });
  }

  /** The result may arrive before a poll or a notification shows the final status. */
  function collected(result: ToolResult): void {
    const { statusMessage: _, ...state } = watch.state;
    const status = result.isError === true ? 'failed' : 'completed';
    if (!isTerminal(state.status)) watch.observe({ ...state, status });
    watch.succeed(result);
  }

  /** An error may be the task's outcome, or mean that there is no result yet. A poll shows which. */
  function refused(error: unknown): void {
    if (watch.ended) return;
    if (!(error instanceof CallError) || error.reason === 'invalid_answer')
      return watch.fail(error);
    if (error.reason !== 'rpc_error') return;
    refusal = error;
    refusals += 1;
    if (refusals <= MAX_REFUSALS)
      source.poll().catch((failure: unknown) => pollFailed(failure, error));
  }

  /** Ends the call when the task no longer exists: with its outcome if it had failed. */
  function pollFailed(failure: unknown, error: CallError): void {
    if (failure instanceof CallError && isTransient(failure)) return;
    watch.fail(watch.state.status === 'failed' ? error : failure);
  }

  /** Whether the stream is presumed lost: it sent no result for too long after the task ended. */
  function isSilent(): boolean {
    return endedAt !== undefined && performance.now() - endedAt > silence;
  }

  function settle({ status }: TaskState): void {
    if (isTerminal(status)) endedAt ??= performance.now();
    if (status === 'cancelled') watch.fail(callError('cancelled', 'The task was cancelled'));
    else collect();
  }

  const source: CoreTaskSource = {
    update(state) {
      announced = true;
      // A notification may arrive after the final status that it precedes.
      if (watch.ended || isTerminal(watch.state.status)) return;
      watch.observe(state);
      settle(state);
    },
    async poll() {
      const ended = isTerminal(watch.state.status);
      const { state, problem } = await get(link, taskId, watch.over);
      watch.flawed(problem);
      // A notification may have shown the final status during the poll.
      if (!ended && isTerminal(watch.state.status) && !isTerminal(state.status)) return;
      watch.observe(state);
      if (!isTerminal(state.status)) refusal = undefined;
      if (refusal !== undefined) {
        const replayed = state.status === 'failed' && !isOverLimit(refusal);
        if (replayed || refusals > MAX_REFUSALS) return watch.fail(refusal);
      }
      if (isSilent()) {
        waiting?.abort();
        waiting = undefined;
        endedAt = undefined;
        // The stream may only be slow, so wait longer next time.
        silence *= 2;
      }
      settle(state);
    },
    get needsEarlyPoll() {
      return waiting === undefined;
    },
    isNotified: () => announced,
    overdue() {
      const { status } = watch.state;
      if (isTerminal(status))
        return `The task is ${status}, but the server does not send its result`;
      if (status === 'input_required' && asking.active === 0) {
        return 'The task is input_required, but the server sent no input request';
      }
      return undefined;
    },
    cancel: () => cancel(link, taskId),
    end: () => waiting?.abort(),
  };
  settle(watch.state);
  return source;
}

const TOO_MANY = 429;
/** Errors of `tasks/result` before the client takes the error for the task's outcome. */
const MAX_REFUSALS = 3;
/** Milliseconds without a result, after a final status, before the client calls `tasks/result` again. */
const SILENCE = 5_000;

function isOverLimit({ failure }: CallError): boolean {
  return failure.reason === 'rpc_error' && failure.error.code === TOO_MANY;
}
