import { rpcError } from '../../runtime/peer/index.js';
import { ERROR_CODES, METHODS } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { isObject, member } from '../../runtime/peer/wire/json.js';
import type { LiveTask } from './live-task.js';
import type { LiveTasks } from './live-tasks.js';
import { play, type Stage } from './player.js';

/**
 * Waits until a task ends, and asks the client what the recorded one was asked meanwhile. Resolves with its result, or
 * rejects with its error.
 */
export async function outcomeOf(
  tasks: LiveTasks,
  task: LiveTask,
  stage: Stage,
): Promise<JsonObject> {
  const asked = { method: METHODS.tasksResult, params: { taskId: task.recordedId } };
  // The core dialect has a request for the result.
  const [exchange] = task.dialect === 'core' ? tasks.model.equalTo(asked) : [];
  if (exchange === undefined) return waited(task, stage);
  try {
    return (await play(tasks, exchange, stage, task)).result;
  } finally {
    task.end();
  }
}

/** Follows the states of a task that shows its questions and its result itself. */
async function waited(task: LiveTask, stage: Stage): Promise<JsonObject> {
  for (;;) {
    const state = task.look();
    if (task.isOver) return ended(state);
    const { inputRequests } = state;
    if (isObject(inputRequests) && Object.keys(inputRequests).length > 0) {
      await answered(inputRequests, stage);
      task.act();
    }
    if (stage.isOver) return {};
    if (!(await task.next()) && !task.isOver) {
      throw rpcError(ERROR_CODES.InvalidParams, 'The recording ends before this task does');
    }
  }
}

function ended({ status, result, error }: JsonObject): JsonObject {
  if (isObject(result)) return result;
  if (isObject(error)) {
    throw rpcError(Number(error['code']), String(error['message']), error['data']);
  }
  const what = `The recording has no result of this task (${String(status)})`;
  throw rpcError(ERROR_CODES.InvalidParams, what);
}

/** Asks the client each of several questions. Resolves with the answers by the keys of the questions. */
export async function answered(questions: JsonObject, stage: Stage): Promise<JsonObject> {
  const { signal } = new AbortController();
  const asked = Object.entries(questions).map(async ([key, question]) => {
    const params = member(question, 'params');
    // A client that cannot be asked answers nothing.
    const answer = await stage
      .ask(String(member(question, 'method')), isObject(params) ? params : {}, signal)
      .catch(() => ({ action: 'cancel' }));
    return [key, answer] as const;
  });
  return Object.fromEntries(await Promise.all(asked));
}
