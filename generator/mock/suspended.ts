import type { JsonObject } from '../../runtime/tasks/index.js';
import { isObject } from '../../runtime/peer/wire/json.js';
import type { Call } from './call.js';
import { Questions } from './questions.js';

interface Suspended {
  readonly questions: Questions;
  readonly outcome: Promise<JsonObject>;
}

/** Beyond, the oldest are forgotten. */
const MOST = 1_000;

/** Calls that wait for the answers of their clients, between two requests. */
export class SuspendedCalls {
  readonly #calls = new Map<string, Suspended>();

  /** Begins a call whose questions go to the client as results. */
  begin(call: Call, work: (questions: Questions) => Promise<JsonObject>): Promise<JsonObject> {
    const questions = new Questions();
    const outcome = work(questions);
    return this.#turn(call, { questions, outcome });
  }

  /** Goes on with a call, when a request brings the answers to its questions. Undefined for another request. */
  resume(call: Call): Promise<JsonObject> | undefined {
    const { requestState, inputResponses } = call.params;
    const suspended = typeof requestState === 'string' ? this.#calls.get(requestState) : undefined;
    if (suspended === undefined || !isObject(inputResponses)) return undefined;
    this.#calls.delete(String(requestState));
    suspended.questions.answer(inputResponses);
    return this.#turn(call, suspended);
  }

  async #turn(call: Call, suspended: Suspended): Promise<JsonObject> {
    const { questions, outcome } = suspended;
    questions.to = (method, params) => call.exchange.notify(method, params);
    const asked = questions.asked().then(() => undefined);
    const result = await Promise.race([outcome, asked]);
    questions.to = undefined;
    if (result !== undefined) return result;
    const requestState = crypto.randomUUID();
    this.#calls.set(requestState, suspended);
    outcome.catch(() => undefined);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > MOST && oldest !== undefined) this.#calls.delete(oldest);
    return { resultType: 'input_required', inputRequests: questions.open, requestState };
  }
}
