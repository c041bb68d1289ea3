import { METHODS } from '../../runtime/protocol.js';
import { DIALECTS, type JsonObject, taskError } from '../../runtime/tasks/index.js';
import { type Call, dialectOf } from './call.js';
import type { LiveTask } from './live-task.js';
import type { Matcher } from './matcher.js';
import type { Model } from './model.js';
import { outcomeOf } from './outcome.js';
import { clientOf, type Player, stageOf } from './player.js';
import { isLike } from './request-key.js';
import { createdIn } from './tasks-in.js';
import { type Timeline, timelineOf } from './timeline.js';

export interface TaskRequestParts {
  readonly model: Model;
  readonly player: Player;
  readonly matcher: Matcher;
}

const COMPLETE = { resultType: 'complete' };

/** Answers requests about tasks that clients of the mock have created. */
export class TaskRequests {
  readonly #parts: TaskRequestParts;

  constructor(parts: TaskRequestParts) {
    this.#parts = parts;
  }

  /** Undefined for a method that is not about one task. */
  answer(task: LiveTask, call: Call): Promise<JsonObject> | undefined {
    switch (call.method) {
      case METHODS.tasksGet:
        return Promise.resolve(this.#get(task, call));
      case METHODS.tasksResult:
        return outcomeOf(this.#parts, task, clientOf(call.exchange), stageOf(call.exchange));
      case METHODS.tasksCancel:
        return this.#cancel(task, call);
      case METHODS.tasksUpdate:
        return this.#update(task, call);
      default:
        return undefined;
    }
  }

  #get(task: LiveTask, call: Call): JsonObject {
    const { _meta, ...shown } = task.look();
    const own = dialectOf(call) === 'ext' ? { ...shown, ...COMPLETE } : shown;
    return _meta === undefined ? own : { ...own, _meta };
  }

  async #cancel(task: LiveTask, call: Call): Promise<JsonObject> {
    const recorded = await this.#recorded(task, call);
    if (recorded !== undefined) return recorded;
    const dialect = dialectOf(call);
    if (!task.cancel() && DIALECTS[dialect].refusesCancelOfEnded) {
      const status = String(task.current['status']);
      throw taskError('ended', `Cannot cancel a task that is already ${status}`, { status });
    }
    return dialect === 'core' ? this.#get(task, call) : COMPLETE;
  }

  async #update(task: LiveTask, call: Call): Promise<JsonObject> {
    const { inputResponses } = call.params;
    const other = task.isAnsweredBy(inputResponses)
      ? undefined
      : this.#alternative(task, inputResponses);
    if (other !== undefined) task.become(other);
    return (await this.#recorded(task, call)) ?? (task.act(), COMPLETE);
  }

  /** The recorded answer to what a client did to a task. */
  async #recorded(task: LiveTask, call: Call): Promise<JsonObject | undefined> {
    const { player, matcher } = this.#parts;
    const asked = { method: call.method, params: { ...call.params, taskId: task.recordedId } };
    const found = matcher.find(asked, call);
    if (found?.isExact !== true) return undefined;
    task.act();
    const { exchange } = call;
    return (await player.play(found.exchange, clientOf(exchange), stageOf(exchange), task)).result;
  }

  /** Another task of an equal request, whose client answered the same. */
  #alternative(task: LiveTask, responses: unknown): Timeline | undefined {
    const { model, matcher } = this.#parts;
    if (task.creator === undefined) return undefined;
    for (const exchange of matcher.equalTo(task.creator)) {
      const taskId = createdIn(model.answerOf(exchange)?.message['result']);
      if (taskId === undefined) continue;
      const timeline = timelineOf(model, taskId);
      const [act] = timeline.acts;
      if (act && isLike(act.responses, responses)) return timeline;
    }
    return undefined;
  }
}
