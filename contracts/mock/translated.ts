import { META_KEYS, METHODS } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { isObject } from '../../runtime/peer/wire/json.js';
import type { Matcher } from './matcher.js';
import { type Model, sampleName } from './model.js';
import { answered, outcomeOf } from './outcome.js';
import { NO_CLIENT, type Player, type Stage } from './player.js';
import type { RecordedRequest } from './request-key.js';
import { createdIn } from './tasks-in.js';
import { unmatched } from './unmatched.js';

export interface TranslatedParts {
  readonly model: Model;
  /** Its tasks are seen by no client: the server has tasks of its own. */
  readonly player: Player;
  readonly matcher: Matcher;
}

/** Recorded calls of one tool that are read for whether it runs as a task. */
const MOST_CALLS = 10;
/** Rounds of questions of one call. */
const MOST_ROUNDS = 100;

/** Plays exchanges for a server of the runtime, which says the same in the revision of its client. */
export class Translated {
  readonly #parts: TranslatedParts;

  constructor(parts: TranslatedParts) {
    this.#parts = parts;
  }

  /** Resolves with the result in the words of no revision, or rejects with the recorded error. */
  async result(exchange: number, stage: Stage): Promise<JsonObject> {
    const { player } = this.#parts;
    let played = await player.play(exchange, NO_CLIENT, stage);
    let asked = this.#parts.model.askedIn(exchange);
    for (let round = 0; round < MOST_ROUNDS && asksIn(played.result); round += 1) {
      asked = await withAnswers(asked, played.result, stage);
      played = await player.play(this.find(asked) ?? this.refuse(asked), NO_CLIENT, stage);
    }
    const { result, task } = played;
    return bare(task === undefined ? result : await outcomeOf(this.#parts, task, NO_CLIENT, stage));
  }

  /** An exchange with an equal request, in any revision. */
  find(asked: RecordedRequest): number | undefined {
    return this.#parts.matcher.ofAny(asked);
  }

  /** Of a tool that was recorded: a client that takes no tasks gets the result of one. */
  taskSupport(tool: string, listed: unknown): 'optional' | undefined {
    const { model } = this.#parts;
    const calls = model.samples.get(
      sampleName({ method: METHODS.toolsCall, params: { name: tool } }),
    );
    const isTask = calls
      ?.slice(0, MOST_CALLS)
      .some((each) => createdIn(model.answerOf(each)?.message['result']) !== undefined);
    return isTask === true || (calls !== undefined && listed === 'required')
      ? 'optional'
      : undefined;
  }

  /** @throws {ProtocolError} that names the nearest request. */
  refuse(asked: RecordedRequest): never {
    throw unmatched(this.#parts.model, asked);
  }
}

function asksIn(result: JsonObject): boolean {
  return result['resultType'] === 'input_required';
}

/** Asks what a result asks for, and makes the request that a client of its revision sends then. */
async function withAnswers(
  { method, params }: RecordedRequest,
  { inputRequests, requestState }: JsonObject,
  stage: Stage,
): Promise<RecordedRequest> {
  const inputResponses = await answered(isObject(inputRequests) ? inputRequests : {}, stage);
  const state = requestState === undefined ? {} : { requestState };
  return { method, params: { ...params, inputResponses, ...state } };
}

/** Without what the revision of a client adds itself. */
function bare(result: JsonObject): JsonObject {
  const { resultType: _type, ttlMs: _ttl, cacheScope: _scope, _meta: meta, ...own } = result;
  if (!isObject(meta)) return own;
  const { [META_KEYS.serverInfo]: _server, [META_KEYS.relatedTask]: _task, ...others } = meta;
  return Object.keys(others).length === 0 ? own : { ...own, _meta: others };
}

/** What a handler of the runtime can do for its client. */
export interface Controls {
  readonly input: (method: string, params: JsonObject) => Promise<JsonObject>;
  readonly progress?: (progress: { progress: number; total?: number; message?: string }) => void;
  readonly signal?: AbortSignal;
  /** Questions that were answered before the handler began again. */
  readonly answered?: number;
}

/** The stage of a handler of the runtime. What it did before it began again is not done twice. */
export function handlerStage({ input, progress, signal, answered: before = 0 }: Controls): Stage {
  let asked = 0;
  return {
    get isOver() {
      return signal?.aborted === true;
    },
    get isOld() {
      return asked < before;
    },
    notify(method, { progressToken: _own, _meta, ...params }) {
      if (method === METHODS.notificationsProgress && asked >= before) progress?.(params as never);
      return Promise.resolve();
    },
    ask(method, { _meta, ...params }) {
      asked += 1;
      return input(method, params);
    },
  };
}
