import type { JsonObject } from '../tasks/index.js';
import { invalidAnswer } from './errors.js';
import { inputRequiredOf } from './ext.js';
import type { InputRequests } from './input-requests.js';
import type { Stop } from './stop.js';

/** Round trips of one request, each answered with `input_required`, before the request fails. */
const MAX_ROUND_TRIPS = 32;
type Answer = JsonObject & { readonly resultType?: unknown };

/** Milliseconds before the next round trip when the answer contained no input request. */
const PAUSE = 250;

/**
 * Sends a request, and sends it again with the answers to the input requests of its `input_required` results. `send`
 * gets the params to add. Resolves with the first other result.
 */
export async function roundTrips(
  send: (more: JsonObject) => Promise<Answer>,
  inputs: InputRequests,
  stop: Stop,
): Promise<Answer> {
  let more: JsonObject = {};
  for (let roundTrip = 0; roundTrip < MAX_ROUND_TRIPS; roundTrip += 1) {
    const answer = await send(more);
    const { resultType } = answer;
    // Sessions have no `resultType`.
    if (resultType === undefined || resultType === 'complete' || resultType === 'task')
      return answer;
    more = await answerInputRequests(answer, roundTrip, inputs, stop);
  }
  throw invalidAnswer(`The server answered input_required ${MAX_ROUND_TRIPS} times in a row`);
}

/** Answers one `input_required` result. Resolves with the params for the next round trip. */
async function answerInputRequests(
  answer: JsonObject,
  roundTrip: number,
  inputs: InputRequests,
  stop: Stop,
): Promise<JsonObject> {
  const { inputRequests, requestState } = inputRequiredOf(answer);
  // Keys are unique within a round trip only.
  const keys = inputs.unseen(inputRequests, `${roundTrip}:`);
  if (keys.length === 0) await new Promise((resolve) => setTimeout(resolve, PAUSE));
  const failed = new AbortController();
  const signal = AbortSignal.any([stop.signal, failed.signal]);
  try {
    const answers = await Promise.race([
      Promise.all(
        keys.map(async (key) => {
          const answer = await inputs.answer(key, inputRequests[key], signal);
          return [key, answer] as const;
        }),
      ),
      stop.reached,
    ]);
    return {
      ...(keys.length > 0 && { inputResponses: Object.fromEntries(answers) }),
      ...(requestState !== undefined && { requestState }),
    };
  } catch (error) {
    failed.abort(error);
    throw error;
  }
}
