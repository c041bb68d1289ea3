import { rpcError } from '../../runtime/peer/index.js';
import { ERROR_CODES, METHODS } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { isObject, member } from '../../runtime/peer/wire/json.js';
import type { LiveTask } from './live-task.js';
import type { Model } from './model.js';
import type { Client, Player, Stage } from './player.js';
import { matches } from './request-key.js';

/** What finds out how a task ends. */
export interface OutcomeParts {
  readonly model: Model;
  readonly player: Player;
}

/**
 * Waits until a task ends, and asks the client what the recorded one was asked meanwhile. Resolves with its result, or
 * rejects with its error.
 */
export async function outcomeOf(
  parts: OutcomeParts,
  task: LiveTask,
  client: Client,
  stage: Stage,
): Promise<JsonObject> {
  const exchange = task.dialect === 'core' ? resultExchange(parts.model, task) : undefined;
  if (exchange === undefined) return waited(task, stage);
  try {
    return (await parts.player.play(exchange, client, stage, task)).result;
  } finally {
    task.end();
  }
}

/** The request for the result of a task, which the core dialect has. */
function resultExchange(model: Model, task: LiveTask): number | undefined {
  const asked = { method: METHODS.tasksResult, params: { taskId: task.recordedId } };
  for (const exchange of model.candidates(asked)) {
    if (matches(model.askedIn(exchange), asked)) return exchange;
  }
  return undefined;
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
    if (!(await task.next()) && !task.isOver)
      throw rpcError(ERROR_CODES.InvalidParams, UNKNOWN_END);
  }
}

const UNKNOWN_END = 'The recording ends before this task does';

function ended(state: JsonObject): JsonObject {
  const { status, result, error } = state;
  if (isObject(result)) return result;
  if (isObject(error)) {
    throw rpcError(Number(error['code']), String(error['message']), error['data']);
  }
  throw rpcError(
    ERROR_CODES.InvalidParams,
    `The recording has no result of this task (${String(status)})`,
  );
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
