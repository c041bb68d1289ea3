import { deferred, isTerminal } from '../tasks/index.js';
import {
  asCallError,
  callError,
  CallError,
  invalidAnswer,
  isTransient,
  retryAfter,
  withMessage,
  withReference,
} from './errors.js';
import type { ClientLimits } from './limits.js';
import { type PollLimiter, pollDelay, retryDelay, sleep } from './pacing.js';
import { assertFollows, hasChanged, isOlder } from './states.js';
import { printable } from './printable.js';
import type { TaskState, ToolResult } from './types.js';

/** A dialect's way to follow a task. `Watch` decides when to poll. */
export interface TaskSource {
  /** Gets the task's state and passes it to the watch. Rejects with a `CallError`. */
  poll(): Promise<void>;
  /** Whether only an early poll shows the end of a short task soon. */
  readonly needsEarlyPoll: boolean;
  /** Whether the server sends notifications about the task, so that fewer polls suffice. */
  isNotified(): boolean;
  /** What the server should have sent by now, as an error message; undefined when nothing is overdue. */
  overdue(): string | undefined;
  /** Asks the server to cancel the task. */
  cancel(): Promise<void>;
  /** Ends streams and withdraws input requests from their handlers. */
  end(): void;
}

export interface WatchOptions {
  readonly first: TaskState;
  readonly reference: string;
  readonly limits: ClientLimits;
  readonly pollLimiter: PollLimiter;
  /** Gets each state, beginning with the first. */
  readonly onState: (state: TaskState) => void;
  /** Gets the errors that `onState` throws. */
  readonly onProblem: (error: unknown) => void;
}

/** Follows one task: its last state, and the outcome of its call. */
export interface Watch {
  readonly state: TaskState;
  readonly ended: boolean;
  /** Aborted when the call has ended. */
  readonly over: AbortSignal;
  readonly result: Promise<ToolResult>;
  /** Takes a state from the server. Throws `invalid_answer` when the protocol does not allow the change. */
  observe(next: TaskState): void;
  /** Reports once that the server's task is invalid, and is followed all the same. */
  flawed(problem: string | undefined): void;
  /** Runs `work` and fails the call with the error that it throws. */
  guard(work: () => void): void;
  succeed(result: ToolResult): void;
  fail(error: unknown): void;
  /** Notes why the caller stopped the call. If the task is then cancelled, the call fails with that. */
  stopping(reason: CallError): void;
  states(): AsyncIterator<TaskState>;
  /** Polls until the call has ended. */
  run(source: TaskSource): void;
}

/** The reason for aborting the remaining work of an ended call. No caller sees it. */
const ENDED = callError('lost', 'The call has ended');

/** Milliseconds until the first poll of a dialect that needs an early one. */
const FIRST_POLL = 50;

export function createWatch(options: WatchOptions): Watch {
  const { first, reference, limits, pollLimiter, onState, onProblem } = options;
  const result = deferred<ToolResult>();
  const over = new AbortController();
  let state = first;
  let observedAt = 0;
  let changed = deferred<void>();
  let stopped: CallError | undefined;
  let isReported = false;

  function notify(): void {
    try {
      onState(state);
    } catch (error) {
      onProblem(error);
    }
  }

  function end(): void {
    over.abort(ENDED);
    changed.resolve();
  }

  const watch: Watch = {
    get state() {
      return state;
    },
    get ended() {
      return over.signal.aborted;
    },
    over: over.signal,
    result: result.promise,
    observe(next) {
      if (watch.ended) return;
      assertFollows(state, next);
      observedAt = performance.now();
      // Ignores a state that is older than the last one, but not the end: a server's clock may have been set back.
      const isEnd = isTerminal(next.status) && !isTerminal(state.status);
      if (!hasChanged(state, next) || (isOlder(state, next) && !isEnd)) return;
      state = next;
      changed.resolve();
      changed = deferred();
      notify();
    },
    flawed(problem) {
      if (problem === undefined || isReported) return;
      isReported = true;
      const message = `The task ${state.taskId} is invalid, and is followed all the same: ${problem}`;
      onProblem(new Error(printable(message)));
    },
    guard(work) {
      try {
        work();
      } catch (error) {
        watch.fail(error);
      }
    },
    succeed(value) {
      if (watch.ended) return;
      if (value.isError === true) {
        const failure = { reason: 'tool_error', result: value } as const;
        result.reject(new CallError(failure, errorTextOf(value)));
      } else result.resolve(value);
      end();
    },
    fail(error) {
      if (watch.ended) return;
      const failure = asCallError(error);
      if (stopped !== undefined && state.status === 'cancelled') {
        // No reference, because a cancelled task cannot be resumed.
        result.reject(withMessage(stopped, `${stopped.message}; its task was cancelled`));
      } else if (stopped !== undefined)
        result.reject(withMessage(failure, failure.message, reference));
      // The error of a failed task is its outcome.
      else if (failure.reason === 'rpc_error' && state.status === 'failed') result.reject(failure);
      else result.reject(withReference(failure, reference));
      end();
    },
    stopping(reason) {
      stopped = reason;
    },
    async *states() {
      for (let shown: TaskState | undefined; ;) {
        if (state !== shown) yield (shown = state);
        else if (watch.ended || isTerminal(state.status)) return;
        else await changed.promise;
      }
    },
    run(source) {
      notify();
      if (watch.ended) return source.end();
      over.signal.addEventListener('abort', () => source.end(), { once: true });
      poll(source).catch((error: unknown) => watch.fail(error));
    },
  };

  async function poll(source: TaskSource): Promise<void> {
    const regular = pollDelay(state.pollInterval, false, limits);
    let delay = source.needsEarlyPoll ? Math.min(FIRST_POLL, regular) : regular;
    let failures = 0;
    const wrong = createPatience(limits.patience);
    while (!watch.ended) {
      const slept = performance.now();
      await sleep(delay, over.signal);
      // A notification during the delay replaces the poll.
      const isNotified = failures === 0 && observedAt > slept && source.overdue() === undefined;
      try {
        if (!isNotified) await pollLimiter.run(over.signal, () => source.poll());
        failures = 0;
        delay = pollDelay(state.pollInterval, source.isNotified(), limits);
      } catch (thrown) {
        const error = asCallError(thrown);
        failures += 1;
        wrong.count();
        if (!isTransient(error) || wrong.isOver()) throw error;
        delay = Math.max(retryDelay(failures), retryAfter(error), limits.pollMin);
      }
      const overdue = source.overdue();
      if (overdue !== undefined) {
        wrong.count();
        if (wrong.isOver()) throw invalidAnswer(overdue);
      } else if (failures === 0) wrong.reset();
      // Polls often enough that the call fails soon after `patience` has passed.
      if (wrong.isCounting) delay = Math.min(delay, Math.max(limits.patience / 4, 1));
    }
  }

  return watch;
}

/**
 * Measures how long polls have been wrong: failing, or without what is overdue. Between two polls at most half of the
 * patience passes, because a computer that was asleep has seen the time pass, but no answers.
 */
function createPatience(milliseconds: number) {
  let waited = 0;
  let last: number | undefined;
  return {
    get isCounting() {
      return last !== undefined;
    },
    reset(): void {
      waited = 0;
      last = undefined;
    },
    count(): void {
      const now = performance.now();
      waited += Math.min(now - (last ?? now), milliseconds / 2);
      last = now;
    },
    isOver: (): boolean => waited >= milliseconds,
  };
}

/** The error message of a tool result with `isError`. */
export function errorTextOf({ content }: ToolResult): string {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return printable(texts.join('\n')) || 'The tool reported an error';
}
