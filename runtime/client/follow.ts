import { META_KEYS } from '../../generated/2025-11-25/protocol.js';
import { isTerminal, type JsonObject } from '../tasks/index.js';
import { at } from '../wire/json.js';
import type { CallQuestions } from './asked.js';
import { coreDialogue, type Waits } from './core.js';
import { asCallError, type CallError, callError, withMessage, withReference } from './errors.js';
import { extDialogue } from './ext.js';
import { taskHandle } from './handle.js';
import type { Link } from './link.js';
import { createQuestions } from './questions.js';
import { formatReference } from './reference.js';
import type { Statuses } from './statuses.js';
import type { Stop } from './stop.js';
import type { Subscriptions } from './subscriptions.js';
import type { ToolListing } from './tools.js';
import type { AnswerQuestion, CallHandle, FollowOptions, TaskState, ToolResult } from './types.js';
import { createWatch, type Dialogue, type Watch } from './watch.js';

/** A task that is to be followed, new or resumed. */
export interface Followed {
  readonly tool: string;
  readonly state: TaskState;
  /** The answer to `tasks/get`, where there was one. */
  readonly task?: JsonObject;
  /** The `_meta` of the answer that created it. */
  readonly meta?: JsonObject | undefined;
}

/** Every task that is followed on one connection. */
export interface Following {
  follow(
    followed: Followed,
    options: FollowOptions,
    answer: AnswerQuestion,
    stop: Stop,
  ): CallHandle;
  /** The connection is gone. */
  lose(problem: Error | undefined): void;
}

export interface FollowingDependencies {
  readonly link: Link;
  readonly statuses: Statuses;
  readonly subscriptions: Subscriptions;
  /** Where requests of the server find the call whose task they name. */
  readonly asked: Map<string, CallQuestions>;
  readonly tools: ToolListing;
  readonly onProblem: (error: unknown) => void;
}

/** Milliseconds that a caller who gave up waits for the server to say that it stopped. */
const CANCEL_PATIENCE = 5_000;

export function createFollowing(dependencies: FollowingDependencies): Following {
  const { link, statuses, subscriptions, asked, tools, onProblem } = dependencies;
  const { limits, gate } = link;
  const waits: Waits = { open: 0 };
  const watches = new Set<Watch>();

  function followCore(watch: Watch, answer: AnswerQuestion): Dialogue {
    const { taskId } = watch.state;
    const questions = { active: 0, asked: 0, most: limits.questions, answer, watch };
    const dialogue = coreDialogue(link, watch, waits, questions);
    asked.set(taskId, questions);
    const end = statuses.on((state) => watch.guard(() => dialogue.hear(state)), taskId);
    onOver(watch, () => {
      end();
      if (asked.get(taskId) === questions) asked.delete(taskId);
    });
    return dialogue;
  }

  function followExt(watch: Watch, answer: AnswerQuestion, shown?: JsonObject): Dialogue {
    const { state } = watch;
    const questions = createQuestions(answer, limits.questions);
    const dialogue = extDialogue(link, watch, questions, subscriptions.follow(state.taskId));
    const hear = (next: TaskState, task: JsonObject): void =>
      watch.guard(() => dialogue.hear(next, task));
    onOver(watch, statuses.on(hear, state.taskId));
    if (shown !== undefined) hear(state, shown);
    return dialogue;
  }

  /** The server keeps a result that is not what it should be, and so it may be asked for again. */
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
    follow({ tool, state, task, meta }, { onStatus }, answer, stop) {
      const { dialect, taskId } = state;
      const reference = formatReference({ dialect, taskId, tool });
      const watch = createWatch({ first: state, reference, limits, gate, onStatus, onProblem });
      watches.add(watch);
      onOver(watch, () => watches.delete(watch));
      const dialogue =
        dialect === 'core' ? followCore(watch, answer) : followExt(watch, answer, task);
      watch.run(dialogue);
      stop.reached.catch((reason: CallError) => giveUp(watch, dialogue, reason));
      const result = checked(watch.result, tool, reference, stop);
      // Whoever wants it may come later, or never.
      result.catch(() => undefined);
      const immediate = at(meta, [META_KEYS.modelImmediateResponse]);
      return taskHandle(
        watch,
        dialogue,
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

/** Ends the call: with whether its task was cancelled, once the server has said so. */
async function giveUp(watch: Watch, dialogue: Dialogue, reason: CallError): Promise<void> {
  if (watch.ended) return;
  watch.stopping(reason);
  const patience = new Promise((resolve) => setTimeout(resolve, CANCEL_PATIENCE).unref());
  const cancelled = dialogue.cancel().then(() => dialogue.poll());
  await Promise.race([cancelled.catch(() => undefined), patience]);
  const fate = isTerminal(watch.state.status) ? 'has ended meanwhile' : 'may still be running';
  watch.fail(withMessage(reason, `${reason.message}; its task ${fate}`));
}

/** At once when the call has ended already. */
function onOver({ over }: Watch, callback: () => void): void {
  if (over.aborted) callback();
  else over.addEventListener('abort', callback, { once: true });
}
