import { type ProtocolError, rpcError } from '../../runtime/peer/index.js';
import { ERROR_CODES, META_KEYS, METHODS } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { at, isObject } from '../../runtime/peer/wire/json.js';
import { type Call, dialectOf, takesTask } from './call.js';
import type { Timers } from './clock.js';
import { resultIn, taskIn } from './dialects.js';
import { type Facts, factsOf } from './facts.js';
import { discovery, greeting, handshakeFor, offeredTo } from './handshake.js';
import type { LiveTask } from './live-task.js';
import { LiveTasks } from './live-tasks.js';
import { madeTimeline } from './made-task.js';
import { Matcher } from './matcher.js';
import type { Model } from './model.js';
import { Playback } from './playback.js';
import { Player } from './player.js';
import type { Promised } from './promised.js';
import type { RecordedRequest } from './request-key.js';
import { uncheckedRevision } from './revisions.js';
import { TaskRequests } from './task-requests.js';
import type { MockRequest } from './types.js';
import { unmatched } from './unmatched.js';

export interface AnsweringParts {
  readonly model: Model | undefined;
  readonly promised: Promised | undefined;
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
  readonly timers: Timers = new Set();
  readonly facts: Facts;
  readonly #parts: AnsweringParts;
  readonly #tasks = new LiveTasks();
  readonly #taskRequests: TaskRequests;
  readonly #playback: Playback | undefined;

  constructor(parts: AnsweringParts) {
    const { model, promised, speed, isStrict } = parts;
    const { timers } = this;
    const tasks = this.#tasks;
    this.#parts = parts;
    this.facts = factsOf(model, promised?.lock);
    const player = model && new Player({ model, tasks, speed, timers });
    const matcher = model && new Matcher(model, isStrict);
    this.#taskRequests = new TaskRequests({ model, player, matcher });
    if (model && player && matcher) {
      this.#playback = new Playback({ model, player, matcher });
    }
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
    const played = this.#playback?.find(asked, call);
    if (played !== undefined) return { by: 'recording', answer: played };
    return this.#alike(call) ?? this.#fromLock(asked, call);
  }

  #initialize(call: Call): Found {
    const { session } = call.exchange.origin;
    const { protocolVersion: requested, capabilities } = call.params;
    const { model, isStrict } = this.#parts;
    if (session === undefined) throw rpcError(ERROR_CODES.InvalidRequest, 'There is no session');
    const handshake = handshakeFor(model, requested, isStrict);
    const settled = handshake?.settled ?? offeredTo(requested, this.facts);
    session.revision = uncheckedRevision(settled);
    session.clientCapabilities = isObject(capabilities) ? capabilities : {};
    const played = handshake && this.#playback?.play(handshake.exchange, call);
    return {
      by: played === undefined ? 'mock' : 'recording',
      answer: played ?? (() => greeting(settled, this.facts)),
    };
  }

  /** What every server answers alike, if the recorded one declares it. */
  #alike(call: Call): Found | undefined {
    const { capabilities } = this.facts;
    const answer = (result: JsonObject): Found => ({
      by: 'mock',
      answer: () => resultIn(dialectOf(call), call.method, result),
    });
    switch (call.method) {
      case METHODS.ping:
        return answer({});
      case METHODS.serverDiscover:
        return { by: 'mock', answer: () => discovery(this.facts) };
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

  #fromLock(asked: RecordedRequest, call: Call): Found | undefined {
    const { promised } = this.#parts;
    if (promised?.answers(asked.method) !== true) return undefined;
    const isTask = promised.runsAsTask(asked) && takesTask(call);
    return {
      by: 'lock',
      answer: () => {
        const result = promised.answer(asked);
        if (!isTask) return resultIn(dialectOf(call), call.method, result);
        const task = taskIn(dialectOf(call), this.#made(result).current);
        return dialectOf(call) === 'core' ? { task } : { ...task, resultType: 'task' };
      },
    };
  }

  #made(result: JsonObject): LiveTask {
    const { speed } = this.#parts;
    const timeline = madeTimeline(result);
    const parts = {
      timeline,
      dialect: 'ext',
      speed,
      timers: this.timers,
      creator: undefined,
    } as const;
    return this.#tasks.add(parts);
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

function unanswered(error: ProtocolError): Found {
  return { by: 'nothing', answer: () => Promise.reject(error), problem: error.message };
}
