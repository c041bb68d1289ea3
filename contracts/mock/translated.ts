import { META_KEYS, METHODS } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { isObject } from '../../runtime/peer/wire/json.js';
import type { LiveTasks } from './live-tasks.js';
import type { Matcher } from './matcher.js';
import { sampleName } from './model.js';
import { answered, outcomeOf } from './outcome.js';
import { play, type Stage } from './player.js';
import type { RecordedRequest } from './request-key.js';
import { unmatched } from './unmatched.js';

/** Recorded calls of one tool that are read for whether it runs as a task. */
const MOST_CALLS = 10;
/** Rounds of questions of one call. */
const MOST_ROUNDS = 100;

/** Plays exchanges for a server of the runtime, which says the same in the revision of its client. */
export class Translated {
  /** They are seen by no client: the server has tasks of its own. */
  readonly #tasks: LiveTasks;
  readonly #matcher: Matcher;

  constructor(tasks: LiveTasks, matcher: Matcher) {
    this.#tasks = tasks;
    this.#matcher = matcher;
  }

  /** Resolves with the result in the words of no revision, or rejects with the recorded error. */
  async result(exchange: number, stage: Stage): Promise<JsonObject> {
    const { model } = this.#tasks;
    let played = await play(this.#tasks, exchange, stage);
    let asked = model.askedIn(exchange);
    for (let round = 0; round < MOST_ROUNDS && asksIn(played.result); round += 1) {
      asked = await withAnswers(asked, played.result, stage);
      const next = this.#matcher.ofAny(asked);
      if (next === undefined) throw unmatched(model, asked);
      played = await play(this.#tasks, next, stage);
    }
    const { result, task } = played;
    return bare(task === undefined ? result : await outcomeOf(this.#tasks, task, stage));
  }

  /** Of a tool that was recorded: a client that takes no tasks gets the result of one. */
  taskSupport(tool: string, listed: unknown): 'optional' | undefined {
    const { model } = this.#tasks;
    const name = sampleName({ method: METHODS.toolsCall, params: { name: tool } });
    const calls = model.samples.get(name);
    const isTask = calls?.slice(0, MOST_CALLS).some((each) => model.createdBy(each) !== undefined);
    return isTask === true || (calls && listed === 'required') ? 'optional' : undefined;
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
interface Controls {
  readonly input: (method: string, params: JsonObject) => Promise<JsonObject>;
  readonly progress: (progress: { progress: number; total?: number; message?: string }) => void;
  readonly signal: AbortSignal;
}

/**
 * The stage of a handler of the runtime. What it did before it began again is not done twice: `before` is the number of
 * questions that were answered by then.
 */
export function handlerStage({ input, progress, signal }: Controls, before: number): Stage {
  let asked = 0;
  return {
    get isOver() {
      return signal.aborted;
    },
    get isOld() {
      return asked < before;
    },
    token: 0,
    notify(method, { progressToken: _own, _meta, ...params }) {
      if (method === METHODS.notificationsProgress && asked >= before) progress(params as never);
      return Promise.resolve();
    },
    ask(method, { _meta, ...params }) {
      asked += 1;
      return input(method, params);
    },
  };
}
