import { type ProtocolError, rpcError } from '../../runtime/peer/index.js';
import { ERROR_CODES, META_KEYS, METHODS } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { at, isObject } from '../../runtime/peer/wire/json.js';
import { type Call, dialectOf } from './call.js';
import type { Timers } from './clock.js';
import { resultIn } from './dialects.js';
import type { Facts } from './facts.js';
import { discovery, greeting, handshakeFor, offeredTo } from './handshake.js';
import { LiveTasks } from './live-tasks.js';
import { Matcher } from './matcher.js';
import type { Model } from './model.js';
import { Playback } from './playback.js';
import { Player } from './player.js';
import { isPromised } from './promised.js';
import type { RecordedRequest } from './request-key.js';
import { uncheckedRevision } from './revisions.js';
import { TaskRequests } from './task-requests.js';
import type { MockRequest } from './types.js';
import { unmatched } from './unmatched.js';

export interface AnsweringParts {
  readonly model: Model;
  /** What the server says of itself. */
  readonly facts: Facts;
  readonly timers: Timers;
  readonly speed: number;
  /** Answers only in the revisions that were recorded. */
  readonly isStrict: boolean;
  /** Gets each request before it is answered. */
  readonly onRequest: (request: MockRequest) => void;
}

interface Found {
  readonly by: MockRequest['answeredBy'];
  readonly answer: () => Promise<JsonObject> | JsonObject;
  readonly problem?: string;
}

/** Finds what answers a request: the recording, then what every server answers alike, then the lock, then an error. */
export class Answering {
  readonly #parts: AnsweringParts;
  readonly #tasks = new LiveTasks();
  readonly #taskRequests: TaskRequests;
  readonly #playback: Playback;

  constructor(parts: AnsweringParts) {
    const { model, timers, speed, isStrict } = parts;
    const tasks = this.#tasks;
    this.#parts = parts;
    const player = new Player({ model, tasks, speed, timers });
    const matcher = new Matcher(model, isStrict);
    this.#taskRequests = new TaskRequests({ model, player, matcher });
    this.#playback = new Playback({ model, player, matcher });
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

  #find(asked: RecordedRequest, call: Call): Found | undefined {
    const task = this.#tasks.get(call.params['taskId']);
    const ofTask = task && this.#taskRequests.answer(task, call);
    if (ofTask !== undefined) return { by: 'recording', answer: () => ofTask };
    if (call.method === METHODS.initialize) return this.#initialize(call);
    const played = this.#playback.find(asked, call);
    if (played !== undefined) return { by: 'recording', answer: played };
    return this.#alike(call) ?? fromLock(call);
  }

  #initialize(call: Call): Found {
    const { session } = call.exchange.origin;
    const { protocolVersion: requested, capabilities } = call.params;
    const { model, isStrict } = this.#parts;
    if (session === undefined) throw rpcError(ERROR_CODES.InvalidRequest, 'There is no session');
    const handshake = handshakeFor(model, requested, isStrict);
    const settled = handshake?.settled ?? offeredTo(requested, this.#parts.facts);
    session.revision = uncheckedRevision(settled);
    session.clientCapabilities = isObject(capabilities) ? capabilities : {};
    call.behind?.begin({ ...call.params, protocolVersion: settled });
    const played = handshake && this.#playback.play(handshake.exchange, call);
    return {
      by: played === undefined ? 'mock' : 'recording',
      answer: played ?? (() => greeting(settled, this.#parts.facts)),
    };
  }

  /** What every server answers alike, if the recorded one declares it. */
  #alike(call: Call): Found | undefined {
    const { capabilities } = this.#parts.facts;
    const answer = (result: JsonObject): Found => ({
      by: 'mock',
      answer: () => resultIn(dialectOf(call), call.method, result),
    });
    switch (call.method) {
      case METHODS.ping:
        return answer({});
      case METHODS.serverDiscover:
        return { by: 'mock', answer: () => discovery(this.#parts.facts) };
      case METHODS.loggingSetLevel:
        return capabilities['logging'] === undefined ? undefined : answer({});
      case METHODS.resourcesSubscribe:
      case METHODS.resourcesUnsubscribe:
        return at(capabilities, ['resources', 'subscribe']) === true ? answer({}) : undefined;
      case METHODS.tasksList:
        return answer({
          tasks: this.#tasks.all.map((each) => this.#taskRequests.shown(each, call)),
        });
      case METHODS.subscriptionsListen:
        return { by: 'mock', answer: () => listen(call) };
      default:
        return undefined;
    }
  }
}

/** A subscription that was not recorded: nothing changes, and clients follow tasks by asking. */
async function listen({ exchange }: Call): Promise<JsonObject> {
  const _meta = { [META_KEYS.subscriptionId]: exchange.id };
  await exchange.notify(METHODS.notificationsSubscriptionsAcknowledged, {
    notifications: {},
    _meta,
  });
  return new Promise(() => undefined);
}

/** What a lock promises, and the tasks that it has made. */
function fromLock(call: Call): Found | undefined {
  const { behind, method } = call;
  if (behind === undefined || !(isPromised(method) || method.startsWith('tasks/')))
    return undefined;
  return { by: 'lock', answer: () => behind.answer(call) };
}

function unanswered(error: ProtocolError): Found {
  return { by: 'nothing', answer: () => Promise.reject(error), problem: error.message };
}
