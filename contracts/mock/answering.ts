import { DIALECT_VERSIONS, METHODS } from '../../runtime/protocol.js';
import { isObject, member } from '../../runtime/peer/wire/json.js';
import { LiveTasks } from './live-tasks.js';
import type { Answer, Asked, Matcher } from './matcher.js';
import type { Handshake, Model } from './model.js';
import { clientOf, Player, type PlayerParts, stageOf } from './player.js';
import { dialectOfVersion, isSpoken, uncheckedRevision } from './revisions.js';
import { ANSWERED, isPromised, PLAYED } from './server.js';
import { TaskRequests } from './task-requests.js';
import type { MockRequest } from './types.js';
import { unmatched } from './unmatched.js';

/** A recording, as what answers needs it. */
export interface AnsweringParts extends Omit<PlayerParts, 'tasks'> {
  readonly matcher: Matcher;
  /** Answers only in the revisions that were recorded. */
  readonly isStrict: boolean;
  /** A lock answers what was not recorded. */
  readonly hasLock: boolean;
}

/** How a request is answered in the place of the server. */
export interface Play {
  readonly answer: Answer;
  /** The server has a part in it, so that it is checked in its revision. */
  readonly isTranslated?: boolean;
}

export interface Found extends Pick<MockRequest, 'answeredBy' | 'problem'> {
  readonly play?: Play;
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

  find(asked: Asked): Found {
    const { method, params, version } = asked;
    const task = this.#tasks.get(params['taskId']);
    const ofTask = task && this.#taskRequests.answer(task, asked);
    if (ofTask !== undefined) return recorded({ answer: ofTask });
    if (method === METHODS.initialize) return this.#initialize(asked);
    const round = isObject(params['inputResponses']) && this.#rounds.get(params['requestState']);
    if (round) return this.#translated(round, asked);
    const request = { method, params: this.#tasks.recorded(params) };
    const found = this.#parts.matcher.find(request, asked);
    if (found?.isExact === true) return recorded({ answer: this.#exact(found.exchange, asked) });
    if (found !== undefined && method === METHODS.toolsCall) {
      return this.#translated({ exchange: found.exchange, asked: 0 }, asked);
    }
    const tasks = this.#tasks.all.filter(({ dialect }) => dialect === 'core');
    const isCore = version === DIALECT_VERSIONS.core;
    if (method === METHODS.tasksList && isCore && tasks.length > 0) {
      const answer = () => ({ tasks: tasks.map((each) => each.look()) });
      return { answeredBy: 'mock', play: { answer } };
    }
    if (found !== undefined) return { answeredBy: 'recording' };
    if (ALIKE.has(method)) return { answeredBy: 'mock' };
    if (isPromised(method) && this.#parts.hasLock) return { answeredBy: 'lock' };
    const error = unmatched(this.#parts.model, request);
    const answer = () => Promise.reject(error);
    return { answeredBy: 'nothing', problem: error.message, play: { answer } };
  }

  #exact(exchange: number, { talk }: Asked): Answer {
    return async (_params, own) => {
      return (await this.#player.play(exchange, clientOf(own, talk), stageOf(own))).result;
    };
  }

  /** Lets the server play an exchange, and remembers it until the client has answered. */
  #translated({ exchange, asked }: Round, { serve }: Asked): Found {
    if (serve === undefined) return { answeredBy: 'recording' };
    return recorded({
      isTranslated: true,
      answer: async (params, own) => {
        if (own.meta !== undefined) ANSWERED.set(own.meta, asked);
        const result = await serve({ ...params, arguments: { [PLAYED]: exchange } }, own);
        const questions = member(result, 'inputRequests');
        if (result['resultType'] === 'input_required' && isObject(questions)) {
          const all = asked + Object.keys(questions).length;
          this.#rounds.set(result['requestState'], { exchange, asked: all });
          const [oldest] = this.#rounds.keys();
          if (this.#rounds.size > MOST_ROUNDS) this.#rounds.delete(oldest);
        }
        return result;
      },
    });
  }

  #initialize(asked: Asked): Found {
    const { params, talk, serve } = asked;
    const { isStrict, model } = this.#parts;
    const handshake = handshakeFor(model, params['protocolVersion'], isStrict);
    if (handshake === undefined || talk === undefined) return { answeredBy: 'mock' };
    const { settled, exchange } = handshake;
    return recorded({
      answer: async (_params, own) => {
        const { session } = own.origin;
        const whole = {
          capabilities: {},
          clientInfo: UNNAMED,
          ...params,
          protocolVersion: settled,
        };
        await serve?.(whole, own);
        talk.version = settled;
        if (session !== undefined && !isSpoken(settled)) {
          session.revision = uncheckedRevision(settled);
        }
        return this.#exact(exchange, asked)(params, own);
      },
    });
  }
}

/** For a client that does not name itself. */
const UNNAMED = { name: 'client', version: '0.0.0' };

function recorded(play: Play): Found {
  return { answeredBy: 'recording', play };
}

/** What answers a request where there is a lock alone. */
export function answererOf({ method, serve }: Asked): Found {
  if (serve === undefined) return { answeredBy: 'nothing', problem: 'Method not found' };
  return { answeredBy: isPromised(method) ? 'lock' : 'mock' };
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
