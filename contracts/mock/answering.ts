import { type ProtocolError, rpcError } from '../../runtime/peer/index.js';
import { DIALECT_VERSIONS, ERROR_CODES, METHODS } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { isObject, member } from '../../runtime/peer/wire/json.js';
import type { Call } from './call.js';
import { LiveTasks } from './live-tasks.js';
import type { Matcher } from './matcher.js';
import type { Handshake, Model } from './model.js';
import { clientOf, Player, type PlayerParts, stageOf } from './player.js';
import type { RecordedRequest } from './request-key.js';
import { dialectOfVersion, isSpoken, uncheckedRevision } from './revisions.js';
import { ANSWERED, isPromised, PLAYED } from './server.js';
import { TaskRequests } from './task-requests.js';
import type { MockRequest } from './types.js';
import { unmatched } from './unmatched.js';

export interface AnsweringParts extends Omit<PlayerParts, 'tasks'> {
  readonly matcher: Matcher;
  /** Answers only in the revisions that were recorded. */
  readonly isStrict: boolean;
  /** A lock answers what was not recorded. */
  readonly hasLock: boolean;
  /** Gets each request before it is answered. */
  readonly onRequest: (request: MockRequest) => void;
}

interface Answer {
  readonly by: MockRequest['answeredBy'];
  readonly answer: () => Promise<JsonObject> | JsonObject;
  readonly problem?: string;
}

/** A call that goes on when its client has answered. */
interface Round {
  readonly exchange: number;
  /** Questions so far. */
  readonly asked: number;
}

/** What every server answers, if it declares it. */
const ALIKE: ReadonlySet<string> = new Set([
  METHODS.ping,
  METHODS.serverDiscover,
  METHODS.loggingSetLevel,
  METHODS.resourcesSubscribe,
  METHODS.resourcesUnsubscribe,
  METHODS.subscriptionsListen,
  METHODS.tasksList,
  METHODS.tasksGet,
  METHODS.tasksResult,
  METHODS.tasksCancel,
  METHODS.tasksUpdate,
]);

/** Calls that wait for answers. Beyond, the oldest are forgotten. */
const MOST_ROUNDS = 1_000;

/**
 * Finds what answers a request: the recording in the revision of the client, then the server of the runtime, which plays
 * the recording in other revisions, answers what every server answers, and has the lock; then an error.
 */
export class Answering {
  readonly #parts: AnsweringParts;
  readonly #tasks = new LiveTasks();
  readonly #taskRequests: TaskRequests;
  readonly #player: Player;
  /** By the states that clients send again. */
  readonly #rounds = new Map<unknown, Round>();

  constructor(parts: AnsweringParts) {
    this.#parts = parts;
    this.#player = new Player({ ...parts, tasks: this.#tasks });
    this.#taskRequests = new TaskRequests({ ...parts, player: this.#player });
  }

  async answer(call: Call): Promise<JsonObject> {
    const { method, params, exchange } = call;
    const { model, onRequest } = this.#parts;
    const asked = { method, params: this.#tasks.recorded(params) };
    const found = this.#find(asked, call) ?? unanswered(unmatched(model, asked));
    const { by, answer, problem } = found;
    const { version: revision } = exchange.revision;
    onRequest({
      method,
      params,
      revision,
      answeredBy: by,
      ...(problem !== undefined && { problem }),
    });
    return answer();
  }

  #find(asked: RecordedRequest, call: Call): Answer | undefined {
    const { method, params, behind } = call;
    const byRecording = (answer: Answer['answer']): Answer => ({ by: 'recording', answer });
    const task = this.#tasks.get(params['taskId']);
    const ofTask = task && this.#taskRequests.answer(task, call);
    if (ofTask !== undefined) return byRecording(() => ofTask);
    if (method === METHODS.initialize) return this.#initialize(call);
    const round = isObject(params['inputResponses']) && this.#rounds.get(params['requestState']);
    if (round) return byRecording(() => this.#translated(round, call));
    const found = this.#parts.matcher.find(asked, call);
    if (found?.isExact === true) return byRecording(() => this.#exact(found.exchange, call));
    if (found !== undefined && method === METHODS.toolsCall) {
      return byRecording(() => this.#translated({ exchange: found.exchange, asked: 0 }, call));
    }
    const tasks = this.#tasks.all.filter(({ dialect }) => dialect === 'core');
    const isCore = call.exchange.revision.version === DIALECT_VERSIONS.core;
    if (method === METHODS.tasksList && isCore && tasks.length > 0) {
      return { by: 'mock', answer: () => ({ tasks: tasks.map((each) => each.look()) }) };
    }
    const by = found === undefined ? (isPromised(method) ? 'lock' : 'mock') : 'recording';
    const isServed = by === 'lock' ? this.#parts.hasLock : by === 'recording' || ALIKE.has(method);
    return isServed ? { by, answer: () => behind.answer(call) } : undefined;
  }

  async #exact(recorded: number, { exchange }: Call): Promise<JsonObject> {
    const played = this.#player.play(recorded, clientOf(exchange), stageOf(exchange));
    return (await played).result;
  }

  /** Lets the server play an exchange, and remembers it until the client has answered. */
  async #translated({ exchange, asked }: Round, call: Call): Promise<JsonObject> {
    const { params, behind } = call;
    const meta = isObject(params['_meta']) ? params['_meta'] : {};
    const own = {
      ...params,
      arguments: { [PLAYED]: exchange },
      ...(asked > 0 && { _meta: { ...meta, [ANSWERED]: asked } }),
    };
    const result = await behind.answer({ ...call, params: own });
    const questions = member(result, 'inputRequests');
    if (result['resultType'] === 'input_required' && isObject(questions)) {
      const all = asked + Object.keys(questions).length;
      this.#rounds.set(result['requestState'], { exchange, asked: all });
      const [oldest] = this.#rounds.keys();
      if (this.#rounds.size > MOST_ROUNDS) this.#rounds.delete(oldest);
    }
    return result;
  }

  #initialize(call: Call): Answer {
    const { session } = call.exchange.origin;
    const { protocolVersion: requested, capabilities } = call.params;
    if (session === undefined) throw rpcError(ERROR_CODES.InvalidRequest, 'There is no session');
    session.clientCapabilities = isObject(capabilities) ? capabilities : {};
    const handshake = handshakeFor(this.#parts.model, requested, this.#parts.isStrict);
    if (handshake === undefined) {
      return {
        by: 'mock',
        answer: async () => {
          const result = await call.behind.answer(call);
          session.revision = uncheckedRevision(String(result['protocolVersion']));
          return result;
        },
      };
    }
    const { settled, exchange } = handshake;
    session.revision = uncheckedRevision(settled);
    call.behind.begin({ ...call.params, protocolVersion: settled });
    return { by: 'recording', answer: () => this.#exact(exchange, call) };
  }
}

/** The recorded handshake with a client that asks for a revision. */
function handshakeFor(
  { handshakes: all }: Model,
  requested: unknown,
  isStrict: boolean,
): Handshake | undefined {
  const found =
    all.find((each) => each.requested === requested && each.settled === requested) ??
    all.find((each) => each.settled === requested) ??
    all.find((each) => each.requested === requested);
  // What is not translated is offered as it was recorded, and the client decides.
  const translates = !isStrict && isSpoken(requested) && dialectOfVersion(requested) === 'core';
  return found ?? (translates ? undefined : all[0]);
}

function unanswered(error: ProtocolError): Answer {
  return { by: 'nothing', answer: () => Promise.reject(error), problem: error.message };
}
