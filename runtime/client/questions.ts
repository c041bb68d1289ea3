import { validateInputRequest } from '../../generated/2026-07-28/validators.js';
import type { JsonObject } from '../tasks/index.js';
import { DIALECT_REVISIONS } from '../wire/revisions.js';
import { callError, invalidAnswer } from './errors.js';
import type { Answerers, AnswerQuestion, Question } from './types.js';

/** Puts each question to the answerer of its kind. */
export function answeredBy(answerers: Answerers): AnswerQuestion {
  return async (question) => {
    const answer = await putTo(answerers, question);
    if (answer !== undefined) return answer as JsonObject;
    throw new Error(`Nobody here answers ${question.method}`);
  };
}

function putTo(answerers: Answerers, question: Question): unknown {
  // The SDK, or `asked` below, has checked the parameters by their method.
  const params = question.params as never;
  switch (question.method) {
    case 'elicitation/create':
      return question.params['mode'] === 'url'
        ? answerers.url?.(params, question)
        : answerers.form?.(params, question);
    case 'sampling/createMessage':
      return answerers.sampling?.(params, question);
    case 'roots/list':
      return answerers.roots?.(question);
  }
}

/** What a server of revision 2026-07-28 asks under a key. Throws `invalid_answer` for what is no question. */
function asked(key: string, entry: unknown): Pick<Question, 'method' | 'params'> {
  const judged = validateInputRequest(entry);
  if (!judged.ok) {
    const problems = judged.errors.map(({ pointer, message }) => `${pointer}: ${message}`);
    throw invalidAnswer(`Not a question: inputRequests/${key}${problems.join('; ')}`);
  }
  const { method, params = {} } = judged.value;
  return { method, params };
}

/** The questions of one call: each key is answered once, and not too many. */
export interface Questions {
  /**
   * The keys of these that nobody has begun to answer; `scope` sets rounds apart, in which keys come
   * again. Throws `invalid_answer` when they are too many.
   */
  fresh(inputRequests: JsonObject, scope?: string): readonly string[];
  /** Resolves with the answer. Rejects with `invalid_answer`, or `input_failed`. */
  answer(key: string, entry: unknown, signal: AbortSignal, taskId?: string): Promise<JsonObject>;
}

export function createQuestions(answer: AnswerQuestion, most: number): Questions {
  const seen = new Set<string>();
  return {
    fresh(inputRequests, scope = '') {
      const keys = Object.keys(inputRequests).filter((key) => !seen.has(scope + key));
      for (const key of keys) seen.add(scope + key);
      if (seen.size <= most) return keys;
      throw invalidAnswer(`The call asks more than ${most} questions`);
    },
    async answer(key, entry, signal, taskId) {
      const question = asked(key, entry);
      const given = await ask(answer, {
        ...question,
        signal,
        ...(taskId !== undefined && { taskId }),
      });
      const problem = DIALECT_REVISIONS.ext.checkResult(question.method, given);
      if (problem === undefined) return given;
      throw callError('input_failed', `The answer to ${key} is not one: ${problem.message}`);
    },
  };
}

async function ask(answer: AnswerQuestion, question: Question): Promise<JsonObject> {
  try {
    return await answer(question);
  } catch (error) {
    throw callError('input_failed', `A question (${question.method}) was not answered`, error);
  }
}
