import { METHODS } from '../../runtime/protocol.js';
import type { ServerExchange } from '../../runtime/server/guest.js';
import { DIALECTS, type JsonObject, taskError } from '../../runtime/tasks/index.js';
import type { LiveTask } from './live-task.js';
import type { LiveTasks } from './live-tasks.js';
import type { Answer, Asked, Matcher } from './matcher.js';
import { outcomeOf } from './outcome.js';
import { play, stageOf } from './player.js';
import { dialectOfVersion } from './revisions.js';

const COMPLETE = { resultType: 'complete' };

/** How a request about a task is answered that a client of the mock has created. Undefined for other methods. */
export function taskAnswer(
  tasks: LiveTasks,
  matcher: Matcher,
  task: LiveTask,
  asked: Asked,
): Answer | undefined {
  const { method, params, version, talk } = asked;
  const dialect = dialectOfVersion(version);

  /** The recorded answer to what a client did to the task. */
  async function recorded(own: ServerExchange): Promise<JsonObject | undefined> {
    const about = { method, params: { ...params, taskId: task.recordedId } };
    const found = matcher.find(about, asked);
    if (found?.isExact !== true) return undefined;
    task.act();
    return (await play(tasks, found.exchange, stageOf(own, talk), task)).result;
  }

  function shown(): JsonObject {
    const { _meta, ...state } = task.look();
    const own = dialect === 'ext' ? { ...state, ...COMPLETE } : state;
    return _meta === undefined ? own : { ...own, _meta };
  }

  function cancelled(): JsonObject {
    if (!task.cancel() && DIALECTS[dialect].refusesCancelOfEnded) {
      const status = String(task.current['status']);
      throw taskError('ended', `Cannot cancel a task that is already ${status}`, { status });
    }
    return dialect === 'core' ? shown() : COMPLETE;
  }

  switch (method) {
    case METHODS.tasksGet:
      return shown;
    case METHODS.tasksResult:
      return (_, own) => outcomeOf(tasks, task, stageOf(own, talk));
    case METHODS.tasksCancel:
      return async (_, own) => (await recorded(own)) ?? cancelled();
    case METHODS.tasksUpdate:
      return async (_, own) => {
        task.become(params['inputResponses']);
        return (await recorded(own)) ?? (task.act(), COMPLETE);
      };
    default:
      return undefined;
  }
}
