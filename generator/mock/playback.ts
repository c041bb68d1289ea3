import { METHODS } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { isObject } from '../../runtime/peer/wire/json.js';
import { type Call, dialectOf, takesTask } from './call.js';
import { resultIn, taskIn } from './dialects.js';
import type { Matcher } from './matcher.js';
import type { Model } from './model.js';
import { answered, outcomeOf } from './outcome.js';
import { messageStage, type Played, type Player, type Stage } from './player.js';
import type { RecordedRequest } from './request-key.js';
import { dialectOfVersion } from './revisions.js';
import { SuspendedCalls } from './suspended.js';
import { unmatched } from './unmatched.js';

export interface PlaybackParts {
  readonly model: Model;
  readonly player: Player;
  readonly matcher: Matcher;
}

/** Answers a request when it is called. */
type Reply = () => Promise<JsonObject>;

/** Rounds of questions of one call. */
const MOST_ROUNDS = 100;

/** Answers requests from the recording: as they were recorded, or in the other dialect. */
export class Playback {
  readonly #parts: PlaybackParts;
  readonly #suspended = new SuspendedCalls();

  constructor(parts: PlaybackParts) {
    this.#parts = parts;
  }

  /** Undefined for a request that was not recorded. */
  find(asked: RecordedRequest, call: Call): Reply | undefined {
    const resumed = this.#suspended.resume(call);
    if (resumed !== undefined) return () => resumed;
    const exchange = this.#parts.matcher.find(asked, call);
    return exchange === undefined ? undefined : this.play(exchange, call);
  }

  play(exchange: number, call: Call): Reply {
    if (!this.#isTranslated(exchange, call)) return () => this.#exact(exchange, call);
    // An error is an answer in both dialects. What the server can do has a method of its own in each.
    if (call.method === METHODS.ping)
      return () => Promise.resolve(resultIn(dialectOf(call), call.method, {}));
    if (dialectOf(call) === 'core') {
      return () => this.#translated(exchange, call, messageStage(call));
    }
    return () =>
      this.#suspended.begin(call, (questions) => this.#translated(exchange, call, questions));
  }

  async #exact(exchange: number, call: Call): Promise<JsonObject> {
    const stage = messageStage(call);
    const { result, task } = await this.#parts.player.play(exchange, call, stage);
    if (task === undefined || takesTask(call)) return result;
    return outcomeOf(this.#parts, task, call, stage);
  }

  async #translated(exchange: number, call: Call, stage: Stage): Promise<JsonObject> {
    const { player, matcher, model } = this.#parts;
    let played = await player.play(exchange, call, stage);
    for (let round = 0; round < MOST_ROUNDS && asksIn(played.result); round += 1) {
      const asked = await this.#answeredTo(played.result, call, stage);
      const next = matcher.find(asked, call);
      if (next === undefined) throw unmatched(model, asked);
      played = await player.play(next, call, stage);
    }
    return this.#shown(played, call, stage);
  }

  /** Asks what a result asks for, and makes the request that a client of its revision sends then. */
  async #answeredTo(
    result: JsonObject,
    { method, params }: Call,
    stage: Stage,
  ): Promise<RecordedRequest> {
    const { inputRequests, requestState } = result;
    const inputResponses = await answered(isObject(inputRequests) ? inputRequests : {}, stage);
    const state = requestState === undefined ? {} : { requestState };
    return { method, params: { ...params, inputResponses, ...state } };
  }

  async #shown({ result, task }: Played, call: Call, stage: Stage): Promise<JsonObject> {
    const dialect = dialectOf(call);
    if (task === undefined) return resultIn(dialect, call.method, result);
    if (!takesTask(call)) {
      return resultIn(dialect, call.method, await outcomeOf(this.#parts, task, call, stage));
    }
    const shown = taskIn(dialect, task.current);
    return dialect === 'core' ? { task: shown } : { ...shown, resultType: 'task' };
  }

  #isTranslated(exchange: number, call: Call): boolean {
    return dialectOfVersion(this.#parts.model.revisionOf(exchange)) !== dialectOf(call);
  }
}

function asksIn(result: JsonObject): boolean {
  return result['resultType'] === 'input_required';
}
