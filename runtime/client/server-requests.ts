import type { Client } from '@modelcontextprotocol/client';

import { META_KEYS, METHODS } from '../protocol/index.js';
import type { JsonObject } from '../tasks/index.js';
import { related } from '../wire/core-task.js';
import { anyObject, at } from '../wire/json.js';
import { callError, invalidAnswer } from './errors.js';
import type { InputHandlers, InputHandler, InputRequest } from './types.js';
import type { Watch } from './watch.js';

/** The input requests of one core task: their number, their limit, and their handler. */
export interface CallInputs {
  active: number;
  count: number;
  readonly max: number;
  readonly answer: InputHandler;
  readonly watch: Watch;
}

/** Routes each input request to the call whose task it names, and the others to the default handler. */
export function inputRouter(
  defaultHandler: InputHandler,
  tasks: ReadonlyMap<string, CallInputs>,
): (request: InputRequest) => Promise<JsonObject> {
  return async (request) => {
    const taskId = relatedTask(request.params);
    const task = taskId === undefined ? undefined : tasks.get(taskId);
    if (task === undefined) return defaultHandler(request);
    const signal = AbortSignal.any([request.signal, task.watch.over]);
    return answerFor(task, { ...request, signal, taskId: task.watch.state.taskId });
  };
}

/** Registers handlers for the requests that servers send up to revision 2025-11-25. */
export function handleServerRequests(
  client: Client,
  answer: InputHandlers,
  route: (request: InputRequest) => Promise<JsonObject>,
): void {
  const register = (method: InputRequest['method']): void =>
    // The SDK checks params and results by the method, whatever schema is registered.
    client.setRequestHandler(method, { params: anyObject }, async (params, { mcpReq }) => {
      const answer = await route({ method, params, signal: mcpReq.signal });
      const taskId = relatedTask(params);
      return taskId === undefined ? answer : related(answer, taskId);
    });
  if (answer.form ?? answer.url) register(METHODS.elicitationCreate);
  if (answer.sampling) register(METHODS.samplingCreateMessage);
  if (answer.roots) register(METHODS.rootsList);
}

/** The task that a request belongs to. The answer has to name the same task. */
function relatedTask(params: JsonObject): string | undefined {
  const taskId = at(params, ['_meta', META_KEYS.relatedTask, 'taskId']);
  return typeof taskId === 'string' ? taskId : undefined;
}

async function answerFor(task: CallInputs, request: InputRequest): Promise<JsonObject> {
  task.count += 1;
  if (task.count > task.max) {
    const error = invalidAnswer(
      `The task sent more than ${task.max} input requests (limit inputRequests)`,
    );
    task.watch.fail(error);
    throw error;
  }
  task.active += 1;
  try {
    return await task.answer(request);
  } catch (error) {
    task.watch.fail(callError('input_failed', `The handler of ${request.method} failed`, error));
    throw error;
  } finally {
    task.active -= 1;
  }
}
