import type { Client } from '@modelcontextprotocol/client';

import { META_KEYS } from '../../generated/2025-11-25/protocol.js';
import type { JsonObject } from '../tasks/index.js';
import { anyObject, at } from '../wire/json.js';
import { callError, invalidAnswer } from './errors.js';
import { answeredBy } from './questions.js';
import type { Answerers, AnswerQuestion, Question } from './types.js';
import type { Watch } from './watch.js';

/** What a task of the core dialect may ask, and how much it has. */
export interface CallQuestions {
  active: number;
  asked: number;
  readonly most: number;
  readonly answer: AnswerQuestion;
  readonly watch: Watch;
}

/**
 * Answers the requests that servers send up to revision 2025-11-25. Those that name a task that is
 * followed here go to its call.
 */
export function answerLegacy(
  client: Client,
  answer: Answerers,
  tasks: ReadonlyMap<string, CallQuestions>,
): void {
  async function handle(
    method: Question['method'],
    params: JsonObject,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    const taskId = at(params, ['_meta', META_KEYS.relatedTask, 'taskId']);
    const task = typeof taskId === 'string' ? tasks.get(taskId) : undefined;
    if (task === undefined) return answeredBy(answer)({ method, params, signal });
    return answerFor(task, {
      method,
      params,
      signal: AbortSignal.any([signal, task.watch.over]),
      taskId: task.watch.state.taskId,
    });
  }

  const register = (method: Question['method']): void =>
    // The SDK checks parameters and answers by the method, whoever registers how.
    client.setRequestHandler(method, { params: anyObject }, (params, { mcpReq }) =>
      handle(method, params, mcpReq.signal),
    );
  if (answer.form ?? answer.url) register('elicitation/create');
  if (answer.sampling) register('sampling/createMessage');
  if (answer.roots) register('roots/list');
}

async function answerFor(task: CallQuestions, question: Question): Promise<JsonObject> {
  task.asked += 1;
  if (task.asked > task.most) {
    const error = invalidAnswer(`The task asks more than ${task.most} questions`);
    task.watch.fail(error);
    throw error;
  }
  task.active += 1;
  try {
    return await task.answer(question);
  } catch (error) {
    task.watch.fail(
      callError('input_failed', `A question (${question.method}) was not answered`, error),
    );
    throw error;
  } finally {
    task.active -= 1;
  }
}
