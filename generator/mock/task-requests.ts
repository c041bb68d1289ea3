import { METHODS } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { type Call, dialectOf } from './call.js';
import { taskIn } from './dialects.js';
import type { LiveTask } from './live-task.js';
import type { Matcher } from './matcher.js';
import type { Model } from './model.js';
import { outcomeOf, relatedTo } from './outcome.js';
import { messageStage, type Player } from './player.js';
import { isLike } from './request-key.js';
import { Questions } from './questions.js';
import { createdIn } from './tasks-in.js';
import { type Timeline, timelineOf } from './timeline.js';

export interface TaskRequestParts {
  readonly model: Model | undefined;
  readonly player: Player | undefined;
  readonly matcher: Matcher | undefined;
}

/** A task of the core dialect as a client of the extension follows it: its questions and its end come with its state. */
interface Followed {
  readonly questions: Questions;
  end?: { readonly result: unknown } | { readonly error: unknown };
}

const COMPLETE = { resultType: 'complete' };

/** Answers requests about tasks that clients of the mock have created. */
export class TaskRequests {
  readonly #parts: TaskRequestParts;
  readonly #followed = new WeakMap<LiveTask, Followed>();

  constructor(parts: TaskRequestParts) {
    this.#parts = parts;
  }

  /** Undefined for a method that is not about one task. */
  answer(task: LiveTask, call: Call): Promise<JsonObject> | undefined {
    switch (call.method) {
      case METHODS.tasksGet:
        return Promise.resolve(this.#get(task, call));
      case METHODS.tasksResult:
        return this.#result(task, call);
      case METHODS.tasksCancel:
        return this.#cancel(task, call);
      case METHODS.tasksUpdate:
        return this.#update(task, call);
      default:
        return undefined;
    }
  }

  /** The task's state in the dialect of the client. */
  shown(task: LiveTask, call: Call): JsonObject {
    const dialect = dialectOf(call);
    if (dialect === task.dialect) return task.look();
    return dialect === 'core' ? taskIn('core', task.look()) : this.#extState(task, call);
  }

  #get(task: LiveTask, call: Call): JsonObject {
    const { _meta, ...shown } = this.shown(task, call);
    const own = dialectOf(call) === 'ext' ? { ...shown, ...COMPLETE } : shown;
    return _meta === undefined ? own : { ...own, _meta };
  }

  async #result(task: LiveTask, call: Call): Promise<JsonObject> {
    const result = await outcomeOf(this.#parts, task, call, messageStage(call));
    // As it was recorded, where the recorded client asked for it.
    return task.dialect === 'core' ? result : relatedTo(task, result);
  }

  async #cancel(task: LiveTask, call: Call): Promise<JsonObject> {
    const recorded = await this.#recorded(task, call);
    if (recorded !== undefined) return recorded;
    task.cancel();
    return dialectOf(call) === 'core' ? this.#get(task, call) : COMPLETE;
  }

  async #update(task: LiveTask, call: Call): Promise<JsonObject> {
    const { inputResponses } = call.params;
    const followed = this.#followed.get(task);
    if (followed !== undefined) {
      followed.questions.answer(inputResponses);
      return COMPLETE;
    }
    const other = task.isAnsweredBy(inputResponses)
      ? undefined
      : this.#alternative(task, inputResponses);
    if (other !== undefined) task.become(other);
    return (await this.#recorded(task, call)) ?? (task.act(), COMPLETE);
  }

  /** The recorded answer to what a client did to a task. */
  async #recorded(task: LiveTask, call: Call): Promise<JsonObject | undefined> {
    const { player, matcher } = this.#parts;
    if (task.dialect !== dialectOf(call)) return undefined;
    const asked = { method: call.method, params: { ...call.params, taskId: task.recordedId } };
    const exchange = matcher?.find(asked, call);
    if (exchange === undefined || player === undefined) return undefined;
    task.act();
    return (await player.play(exchange, call, messageStage(call), task)).result;
  }

  /** Another task of an equal request, whose client answered the same. */
  #alternative(task: LiveTask, responses: unknown): Timeline | undefined {
    const { model, matcher } = this.#parts;
    if (model === undefined || matcher === undefined || task.creator === undefined)
      return undefined;
    for (const exchange of matcher.equalTo(task.creator)) {
      const taskId = createdIn(model.answerOf(exchange)?.message['result']);
      if (taskId === undefined) continue;
      const timeline = timelineOf(model, taskId);
      const [act] = timeline.acts;
      if (act && isLike(act.responses, responses)) return timeline;
    }
    return undefined;
  }

  #extState(task: LiveTask, call: Call): JsonObject {
    const followed = this.#follow(task, call);
    const state = taskIn('ext', task.look());
    if (state['status'] === 'cancelled') return state;
    if (followed.questions.isOpen) {
      return { ...state, status: 'input_required', inputRequests: followed.questions.open };
    }
    const { end } = followed;
    // A recorded state may come before its question or its result, which are messages of their own.
    if (end === undefined) return { ...state, status: 'working' };
    if ('error' in end) return { ...state, status: 'failed', error: end.error };
    return { ...state, status: 'completed', result: end.result };
  }

  /** Runs to the end of a task, as the recorded client did when it waited for the result. */
  #follow(task: LiveTask, call: Call): Followed {
    const known = this.#followed.get(task);
    if (known !== undefined) return known;
    const followed: Followed = { questions: new Questions() };
    this.#followed.set(task, followed);
    outcomeOf(this.#parts, task, call, followed.questions).then(
      (result) => (followed.end = { result: { ...COMPLETE, ...result } }),
      (error: unknown) => (followed.end = { error: errorIn(error) }),
    );
    return followed;
  }
}

function errorIn(error: unknown): JsonObject {
  const { code, message, data } = error as { code?: number; message?: string; data?: unknown };
  return { code, message, ...(data !== undefined && { data }) };
}
