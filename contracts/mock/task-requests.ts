import { METHODS } from '../../runtime/protocol.js';
import type { ServerExchange } from '../../runtime/server/guest.js';
import { DIALECTS, type JsonObject, taskError } from '../../runtime/tasks/index.js';
import type { LiveTask } from './live-task.js';
import type { Answer, Asked, Matcher } from './matcher.js';
import type { Model } from './model.js';
import { outcomeOf } from './outcome.js';
import { type Client, clientOf, type Player, type Stage, stageOf } from './player.js';
import { isLike } from './request-key.js';
import { dialectOfVersion } from './revisions.js';
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

  /** How a request is answered; undefined for a method that is not about one task. */
  answer(task: LiveTask, asked: Asked): Answer | undefined {
    const isExt = dialectOfVersion(asked.version) === 'ext';
    const of = (own: ServerExchange): [Client, Stage] => [clientOf(own, asked.talk), stageOf(own)];
    switch (asked.method) {
      case METHODS.tasksGet:
        return () => shownBy(task, isExt);
      case METHODS.tasksResult:
        return (_params, own) => outcomeOf(this.#parts, task, ...of(own));
      case METHODS.tasksCancel:
        return async (_params, own) =>
          (await this.#recorded(task, asked, ...of(own))) ?? cancelled(task, isExt);
      case METHODS.tasksUpdate:
        return async ({ inputResponses }, own) => {
          const isSame = task.isAnsweredBy(inputResponses);
          const other = isSame ? undefined : this.#alternative(task, inputResponses);
          if (other !== undefined) task.become(other);
          return (await this.#recorded(task, asked, ...of(own))) ?? (task.act(), COMPLETE);
        };
      default:
        return undefined;
    }
  }

  /** The recorded answer to what a client did to a task. */
  async #recorded(
    task: LiveTask,
    asked: Asked,
    client: Client,
    stage: Stage,
  ): Promise<JsonObject | undefined> {
    const { player, matcher } = this.#parts;
    const { method, params } = asked;
    const found = matcher.find({ method, params: { ...params, taskId: task.recordedId } }, asked);
    if (found?.isExact !== true) return undefined;
    task.act();
    return (await player.play(found.exchange, client, stage, task)).result;
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

function shownBy(task: LiveTask, isExt: boolean): JsonObject {
  const { _meta, ...shown } = task.look();
  const own = isExt ? { ...shown, ...COMPLETE } : shown;
  return _meta === undefined ? own : { ...own, _meta };
}

function cancelled(task: LiveTask, isExt: boolean): JsonObject {
  if (!task.cancel() && DIALECTS[isExt ? 'ext' : 'core'].refusesCancelOfEnded) {
    const status = String(task.current['status']);
    throw taskError('ended', `Cannot cancel a task that is already ${status}`, { status });
  }
  return isExt ? COMPLETE : shownBy(task, isExt);
}
