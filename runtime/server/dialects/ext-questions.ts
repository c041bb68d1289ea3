import { nextTurn } from '../../tasks/index.js';
import type { JsonObject } from '../../tasks/index.js';
import { merged } from '../../tasks/index.js';
import { isObject } from '../../wire/json.js';
import type { AskClient } from '../asks.js';
import { INVALID_PARAMS, rpcError } from '../errors.js';
import { answerProblem } from '../valid-answers.js';
import type { RequestStates } from './request-states.js';

/** A request that may come again with answers. */
export interface Round {
  readonly params: JsonObject;
  /** The owner that its state belongs to. */
  readonly owner: string;
  /** What has to be the same in each round trip. */
  readonly request: unknown;
}

/**
 * Questions of requests in revision 2026-07-28 (multi-round-trip requests): the server answers with the questions, the
 * client sends the request again with the answers, and the work starts from the beginning with them.
 *
 * Runs `work` until it needs an answer that the client has not given. Resolves with the result of `work`, or
 * with an `input_required` result that holds its questions. Work that waits for an answer never continues.
 */
export function multiRoundTrip(
  states: RequestStates,
  round: Round,
  work: (ask: AskClient) => Promise<JsonObject>,
): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    const answers = answersIn(states, round);
    const inputRequests = new Map<string, JsonObject>();
    let questions = 0;

    const ask: AskClient = async (method, params, { key = `input-${questions + 1}` } = {}) => {
      questions += 1;
      if (Object.hasOwn(answers, key)) return checked(method, params, key, answers[key]);
      // Questions asked together go out together: those that come before the next turn.
      if (inputRequests.size === 0) nextTurn(pause);
      inputRequests.set(key, { method, params });
      return new Promise(() => undefined);
    };

    function asked(): JsonObject {
      const request = states.digest(round.request);
      const requestState = states.sign({ request, answers }, round.owner);
      return {
        resultType: 'input_required',
        inputRequests: Object.fromEntries(inputRequests),
        requestState,
      };
    }

    function pause(): void {
      // Arguments that are nested too deeply reject.
      resolve(new Promise((done) => done(asked())));
    }

    work(ask).then(resolve, reject);
  });
}

const NONE: JsonObject = {};

function answersIn(states: RequestStates, round: Round): JsonObject {
  const { requestState, inputResponses } = round.params;
  const given = isObject(inputResponses) ? inputResponses : NONE;
  if (requestState === undefined) return given;
  const state = states.verified(requestState, round.owner);
  if (state?.request === states.digest(round.request)) {
    return merged(state?.answers ?? NONE, given);
  }
  // The client does not learn why its state was refused.
  throw rpcError(INVALID_PARAMS, 'Invalid or expired requestState');
}

/** Throws `-32602` for a wrong answer. The question stays open: the client may send the same state with another answer. */
function checked(method: string, params: JsonObject, key: string, answer: unknown): JsonObject {
  const problem = answerProblem('ext', method, params, answer);
  if (problem === undefined) return answer as JsonObject;
  throw rpcError(INVALID_PARAMS, `Invalid inputResponses/${key}: ${problem}`);
}
