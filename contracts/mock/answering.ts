import { DIALECT_VERSIONS, METHODS } from '../../runtime/protocol.js';
import type { ServerExchange } from '../../runtime/server/guest.js';
import { isObject, member } from '../../runtime/peer/wire/json.js';
import type { Lock } from '../lock/index.js';
import type { LiveTasks } from './live-tasks.js';
import { type Answer, type Asked, Matcher } from './matcher.js';
import { type Handshake, type Model, sampleName } from './model.js';
import { play, type Stage, stageOf } from './player.js';
import type { RecordedRequest } from './request-key.js';
import { dialectOfVersion, isSpoken, uncheckedRevision } from './revisions.js';
import { ANSWERED, isPromised, PLAYED } from './server.js';
import type { Talk } from './talk.js';
import { taskAnswer } from './task-requests.js';
import type { Translated } from './translated.js';
import type { MockRequest } from './types.js';
import { unmatched } from './unmatched.js';

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

/** What a server answers with one message, which the runtime checks in another revision. */
const PLAIN: ReadonlySet<string> = new Set([
  METHODS.promptsGet,
  METHODS.resourcesRead,
  METHODS.completionComplete,
]);

export interface AnsweringParts {
  readonly tasks: LiveTasks;
  readonly translated: Translated;
  /** Answers only in the revisions that were recorded. */
  readonly isStrict: boolean;
  /** Answers what was not recorded. */
  readonly lock: Lock | undefined;
}

/**
 * Finds what answers a request: the recording in the revision of the client, then the server of the runtime, which plays
 * the recording in other revisions, answers what every server answers, and has the lock; then an error.
 */
export class Answering {
  readonly #parts: AnsweringParts;
  readonly #matcher: Matcher;
  /** By the states that clients send again. */
  readonly #rounds = new Map<unknown, Round>();

  constructor(parts: AnsweringParts) {
    this.#parts = parts;
    this.#matcher = new Matcher(parts.tasks.model, parts.isStrict);
  }

  find(asked: Asked): Found {
    const { method, params, version, talk, serve } = asked;
    const { tasks, translated, lock } = this.#parts;
    const task = tasks.get(params['taskId']);
    const ofTask = task && taskAnswer(tasks, this.#matcher, task, asked);
    if (ofTask !== undefined) return recorded(ofTask);
    if (method === METHODS.initialize) return this.#initialize(asked);
    const round = isObject(params['inputResponses']) && this.#rounds.get(params['requestState']);
    if (round) return this.#call(round, asked);
    const request = { method, params: tasks.recorded(params) };
    const found = this.#matcher.find(request, asked);
    if (found?.isExact === true) return recorded(this.#exact(found.exchange, talk));
    if (found !== undefined) {
      const { exchange } = found;
      if (method === METHODS.toolsCall) return this.#call({ exchange, asked: 0 }, asked);
      if (!PLAIN.has(method) || serve === undefined) return { answeredBy: 'recording' };
      const answer: Answer = (_, own) => translated.result(exchange, plainStage(own));
      return recorded(answer, true);
    }
    const all = tasks.all.filter(({ dialect }) => dialect === 'core');
    if (method === METHODS.tasksList && version === DIALECT_VERSIONS.core && all.length > 0) {
      const answer = () => ({ tasks: all.map((each) => each.look()) });
      return { answeredBy: 'mock', play: { answer } };
    }
    if (ALIKE.has(method)) return { answeredBy: 'mock' };
    if (lock !== undefined && this.#isPromised(lock, request)) return { answeredBy: 'lock' };
    const error = unmatched(tasks.model, request);
    const answer = () => Promise.reject(error);
    return { answeredBy: 'nothing', problem: error.message, play: { answer } };
  }

  /** Whether a lock says what answers a request. Of a tool that was only recorded, it does not. */
  #isPromised({ tools }: Lock, { method, params }: RecordedRequest): boolean {
    const isLocked = tools.some(({ name }) => name === params['name']);
    const isKnown = this.#parts.tasks.model.samples.has(sampleName({ method, params }));
    return isPromised(method) && (method !== METHODS.toolsCall || isLocked || !isKnown);
  }

  #exact(exchange: number, talk: Talk | undefined): Answer {
    return async (_, own) => (await play(this.#parts.tasks, exchange, stageOf(own, talk))).result;
  }

  /** Lets the server play an exchange, and remembers it until the client has answered. */
  #call({ exchange, asked }: Round, { serve }: Asked): Found {
    if (serve === undefined) return { answeredBy: 'recording' };
    return recorded(async (params, own) => {
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
    }, true);
  }

  #initialize({ params, talk, serve }: Asked): Found {
    const { isStrict, tasks } = this.#parts;
    const handshake = handshakeFor(tasks.model, params['protocolVersion'], isStrict);
    if (handshake === undefined || talk === undefined) return { answeredBy: 'mock' };
    const { settled, exchange } = handshake;
    return recorded(async (_, own) => {
      const { session } = own.origin;
      const whole = { capabilities: {}, clientInfo: UNNAMED, ...params, protocolVersion: settled };
      await serve?.(whole, own);
      talk.version = settled;
      if (session !== undefined && !isSpoken(settled)) {
        session.revision = uncheckedRevision(settled);
      }
      return this.#exact(exchange, talk)(params, own);
    });
  }
}

/** Where nothing comes before the answer but questions. */
function plainStage(own: ServerExchange): Stage {
  return { ...stageOf(own, undefined), notify: () => Promise.resolve() };
}

/** For a client that does not name itself. */
const UNNAMED = { name: 'client', version: '0.0.0' };

function recorded(answer: Answer, isTranslated = false): Found {
  return { answeredBy: 'recording', play: { answer, isTranslated } };
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
