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
import { type Gate, pollDelay, retryDelay, sleep } from './pacing.js';
import { assertFollows, isNews } from './states.js';
import type { TaskState, ToolResult } from './types.js';

/** What a dialect does about a task, beside polling it at the right times. */
export interface Dialogue {
  /** Asks how the task is and tells the watch. Rejects with a `CallError`. */
  poll(): Promise<void>;
  /** Whether a task that ends soon is seen soon by an early poll only. */
  readonly hurried: boolean;
  /** Whether the server tells of changes by itself, so that polls may be rarer. */
  told(): boolean;
  /** What the task owes us and cannot owe for long; undefined when it may take its time. */
  owed(): string | undefined;
  /** Asks the server to stop it. */
  cancel(): Promise<void>;
  /** Lets go of streams and questions. */
  end(): void;
}

export interface WatchOptions {
  readonly first: TaskState;
  readonly reference: string;
  readonly limits: ClientLimits;
  readonly gate: Gate;
  readonly onStatus: ((state: TaskState) => void) | undefined;
  /** Told what `onStatus` throws. */
  readonly onProblem: (error: unknown) => void;
}

/** One task as it is followed: what is known of it, and how the call ends. */
export interface Watch {
  readonly state: TaskState;
  readonly ended: boolean;
  /** Aborted when the call has ended, whichever way. */
  readonly over: AbortSignal;
  readonly result: Promise<ToolResult>;
  /** Takes the task as the server showed it. Throws `invalid_answer` when it cannot have become that. */
  observe(next: TaskState): void;
  /** Lets the call fail with what `work` throws. */
  guard(work: () => void): void;
  succeed(result: ToolResult): void;
  fail(error: unknown): void;
  /** The caller gave up: why, in the place of the server's word that the task was cancelled. */
  stopping(reason: CallError): void;
  states(): AsyncIterator<TaskState>;
  /** Polls until the call has ended. */
  run(dialogue: Dialogue): void;
}

/** Why what a call still had under way is given up; nobody is told. */
const ENDED = callError('lost', 'The call has ended');

/** Milliseconds until the first poll, where it is hurried. */
const FIRST_POLL = 50;

export function createWatch(options: WatchOptions): Watch {
  const { first, reference, limits, gate, onStatus, onProblem } = options;
  const result = deferred<ToolResult>();
  const over = new AbortController();
  let state = first;
  let heardAt = 0;
  let changed = deferred<void>();
  let stopped: CallError | undefined;

  function tell(): void {
    try {
      onStatus?.(state);
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
      heardAt = performance.now();
      // What overtook an older message is not undone by it.
      if (
        !isNews(state, next) ||
        Date.parse(next.lastUpdatedAt) < Date.parse(state.lastUpdatedAt)
      ) {
        return;
      }
      state = next;
      changed.resolve();
      changed = deferred();
      tell();
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
        result.reject(new CallError(failure, complaintOf(value)));
      } else result.resolve(value);
      end();
    },
    fail(error) {
      if (watch.ended) return;
      const failure = asCallError(error);
      if (stopped !== undefined && state.status === 'cancelled') {
        // Nothing is left to be resumed.
        result.reject(withMessage(stopped, `${stopped.message}; its task was cancelled`));
      } else if (stopped !== undefined)
        result.reject(withMessage(failure, failure.message, reference));
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
    run(dialogue) {
      tell();
      if (watch.ended) return dialogue.end();
      over.signal.addEventListener('abort', () => dialogue.end(), { once: true });
      poll(dialogue).catch((error: unknown) => watch.fail(error));
    },
  };

  async function poll(dialogue: Dialogue): Promise<void> {
    const regular = pollDelay(state.pollInterval, false, limits);
    let delay = dialogue.hurried ? Math.min(FIRST_POLL, regular) : regular;
    let failures = 0;
    let wrongSince: number | undefined;
    while (!watch.ended) {
      const slept = performance.now();
      await sleep(delay, over.signal);
      // Told meanwhile: as good as a poll.
      const told = failures === 0 && heardAt > slept && dialogue.owed() === undefined;
      try {
        if (!told) await gate.pass(over.signal, () => dialogue.poll());
        failures = 0;
        delay = pollDelay(state.pollInterval, dialogue.told(), limits);
      } catch (thrown) {
        const error = asCallError(thrown);
        if (!isTransient(error) || (failures > 0 && isOver(wrongSince))) throw error;
        failures += 1;
        delay = Math.max(retryDelay(failures), retryAfter(error), limits.pollMin);
      }
      const owed = dialogue.owed();
      if (failures === 0 && owed === undefined) wrongSince = undefined;
      else wrongSince ??= performance.now();
      if (owed !== undefined && isOver(wrongSince)) throw invalidAnswer(owed);
      // Patience ends when it is over, not a poll later.
      if (wrongSince !== undefined) delay = Math.min(delay, Math.max(limits.patience / 4, 1));
    }
  }

  function isOver(since: number | undefined): boolean {
    return since !== undefined && performance.now() - since > limits.patience;
  }

  return watch;
}

/** What a tool's result says for people. */
export function complaintOf({ content }: ToolResult): string {
  const text = content.find((block) => block.type === 'text');
  return text?.type === 'text' ? text.text : 'The tool reported an error';
}
