import type { Client } from '@modelcontextprotocol/client';

import { META_KEYS } from '../../generated/2025-11-25/protocol.js';
import type { JsonObject } from '../tasks/index.js';
import { related } from '../wire/core.js';
import { anyObject, at } from '../wire/json.js';
import { callError, invalidAnswer } from './errors.js';
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

/** Answers any question of a server: those that name a task which is followed here go to its call. */
export function router(
  anyone: AnswerQuestion,
  tasks: ReadonlyMap<string, CallQuestions>,
): (question: Question) => Promise<JsonObject> {
  return async (question) => {
    const taskId = relatedTask(question.params);
    const task = taskId === undefined ? undefined : tasks.get(taskId);
    if (task === undefined) return anyone(question);
    const signal = AbortSignal.any([question.signal, task.watch.over]);
    return answerFor(task, { ...question, signal, taskId: task.watch.state.taskId });
  };
}

/** Takes the requests that servers send up to revision 2025-11-25. */
export function answerRequests(
  client: Client,
  answer: Answerers,
  route: (question: Question) => Promise<JsonObject>,
): void {
  const register = (method: Question['method']): void =>
    // The SDK checks parameters and answers by the method, whoever registers how.
    client.setRequestHandler(method, { params: anyObject }, async (params, { mcpReq }) => {
      const answer = await route({ method, params, signal: mcpReq.signal });
      const taskId = relatedTask(params);
      return taskId === undefined ? answer : related(answer, taskId);
    });
  if (answer.form ?? answer.url) register('elicitation/create');
  if (answer.sampling) register('sampling/createMessage');
  if (answer.roots) register('roots/list');
}

/** The task that a question belongs to; its answer has to name it, too. */
function relatedTask(params: JsonObject): string | undefined {
  const taskId = at(params, ['_meta', META_KEYS.relatedTask, 'taskId']);
  return typeof taskId === 'string' ? taskId : undefined;
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
