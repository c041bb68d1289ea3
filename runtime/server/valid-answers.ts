import type { ProtocolError } from '../peer/index.js';
import { METHODS } from '../protocol.js';
import type { Dialect, JsonObject } from '../tasks/index.js';
import { formProblem } from '../peer/wire/forms.js';
import { isObject, member } from '../peer/wire/json.js';
import { withoutValues, dialectRevision } from '../peer/wire/revision.js';
import { INVALID_PARAMS, rpcError } from './errors.js';

/** How often a form is put to a client that answers it wrongly, in sessions. */
const ATTEMPTS = 3;

/** The `data` of errors that stand for an answer that is not what was asked for. */
const INVALID_ANSWER = Object.freeze({ reason: 'invalid_answer' });

export function invalidAnswer(problem: string): ProtocolError {
  return rpcError(INVALID_PARAMS, `Invalid answer: ${problem}`, INVALID_ANSWER);
}

/**
 * What is wrong with a client's answer: by the dialect's revision, and, where a form was accepted, by the
 * form's schema. The text holds no value of the answer.
 */
export function answerProblem(
  dialect: Dialect,
  method: string,
  { mode, requestedSchema }: JsonObject,
  answer: unknown,
): string | undefined {
  const isForm = method === METHODS.elicitationCreate && mode !== 'url';
  const content = member(answer, 'content');
  const inForm =
    isForm && member(answer, 'action') === 'accept'
      ? formProblem(requestedSchema, content)
      : undefined;
  if (inForm !== undefined) return inForm;
  const problem = dialectRevision(dialect).checkResult(method, answer);
  if (problem !== undefined) return withoutValues(problem);
  if (!isObject(answer)) return 'it must be an object';
  return 'task' in answer ? 'it is a task, which was not asked for' : undefined;
}

/**
 * The answer to a question in a session, where an answer cannot be refused: a form that was answered
 * wrongly is put again, three times in all. Rejects with `-32602` when no answer was what was asked for.
 */
export async function validAnswer(
  method: string,
  params: JsonObject,
  ask: () => Promise<JsonObject>,
): Promise<JsonObject> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await ask();
      const problem = answerProblem('core', method, params, answer);
      if (problem === undefined) return answer;
      throw invalidAnswer(problem);
    } catch (error) {
      const isWrong = member(error, 'data') === INVALID_ANSWER;
      if (!isWrong || method !== METHODS.elicitationCreate || attempt === ATTEMPTS) throw error;
    }
  }
}
