import { rpcError } from '../../runtime/peer/index.js';
import { ERROR_CODES, META_KEYS, METHODS } from '../../runtime/protocol.js';
import type { ServerExchange } from '../../runtime/server/guest.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { at, isObject, member } from '../../runtime/peer/wire/json.js';
import { Clock, type Timers } from './clock.js';
import type { LiveTask } from './live-task.js';
import type { LiveTasks } from './live-tasks.js';
import type { Model } from './model.js';
import type { Recorded } from './recording.js';
import { isLike, matches } from './request-key.js';
import { dialectOfVersion } from './revisions.js';
import { type Script, scriptOf, type Step } from './script.js';
import { NO_PARAMS, sentParams, type Talk } from './talk.js';
import { timelineOf } from './timeline.js';

/** Where an exchange is played: to the client of a call. */
export interface Stage {
  /** The client does not wait any more. */
  readonly isOver: boolean;
  /** What comes now was done before, and is not waited for. */
  readonly isOld?: boolean;
  notify(method: string, params: JsonObject): Promise<void>;
  /** Asks the client, and resolves with its result. */
  ask(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
}

export interface PlayerParts {
  readonly model: Model;
  readonly tasks: LiveTasks;
  /** How much faster than it was recorded; `Infinity` does not wait. */
  readonly speed: number;
  readonly timers: Timers;
}

/** Recorded exchanges whose answers to a question are compared with the client's. */
const MOST_ALTERNATIVES = 1_000;

/**
 * Milliseconds between notifications and the answer. Clients of the SDK drop progress that they read in one piece with its
 * answer.
 */
const APART = 10;

/** What a client chose itself. */
export interface Client {
  readonly id: unknown;
  /** Undefined for one that wants no progress. */
  readonly token: unknown;
  readonly talk: Talk | undefined;
}

/** For a stage that is not the client's. */
export const NO_CLIENT: Client = { id: undefined, token: 0, talk: undefined };

/** The answer of the recorded server, and the task that it created. */
export interface Played {
  readonly result: JsonObject;
  readonly task: LiveTask | undefined;
}

/** Plays exchanges: sends what the server sent, when it sent it. */
export class Player {
  readonly #parts: PlayerParts;

  constructor(parts: PlayerParts) {
    this.#parts = parts;
  }

  /**
   * Resolves with the recorded result, or rejects with the recorded error. `task` is the one that the exchange is about:
   * its time goes on while it is played.
   */
  async play(exchange: number, client: Client, stage: Stage, task?: LiveTask): Promise<Played> {
    const run = new Run(this.#parts, scriptOf(this.#parts.model, exchange), client, stage, task);
    return run.play();
  }
}

/** One exchange, while it is played. */
class Run {
  readonly #parts: PlayerParts;
  readonly #client: Client;
  #stage: Stage;
  #task: LiveTask | undefined;
  readonly #clock: Clock;
  /** Answers of the client that have not come yet, by the recorded ids of their questions. */
  readonly #asked = new Map<unknown, { answer: Promise<JsonObject>; abort: AbortController }>();
  #script: Script;
  #hasNotified = false;

  constructor(
    parts: PlayerParts,
    script: Script,
    client: Client,
    stage: Stage,
    task: LiveTask | undefined,
  ) {
    this.#parts = parts;
    this.#script = script;
    this.#client = client;
    this.#stage = stage;
    this.#task = task;
    this.#clock = task?.clock ?? new Clock(parts.speed, script.begin ?? 0, parts.timers);
  }

  async play(): Promise<Played> {
    let answers = 0;
    for (let at = 0; at < this.#script.before.length && !this.#isOver; at += 1) {
      const step = this.#script.before[at];
      if (step === undefined) break;
      if (step.kind !== 'answered') await this.#send(step);
      else at = await this.#answered(step, at, answers++);
    }
    const { answer } = this.#script;
    // The request was withdrawn, or lasts as long as its client wants.
    if (answer === undefined) return new Promise(() => undefined);
    await this.#wait({ place: this.#script.answerPlace, ms: answer.ms });
    if (this.#hasNotified) await new Clock(1, 0, this.#parts.timers).until(APART);
    return this.#end(answer);
  }

  get #isOver(): boolean {
    return this.#stage.isOver;
  }

  async #send(step: Step): Promise<void> {
    const { kind, message, sent } = step;
    const about = recordedTaskOf(message);
    const isOwn = about !== undefined && about === this.#task?.recordedId;
    await this.#wait(step, isOwn ? this.#task : this.#parts.tasks.latest(about));
    if (this.#isOver) return;
    const method = String(message['method']);
    const params = this.#own(member(sent, 'params'));
    if (kind === 'ask') return this.#ask(message['id'], method, params ?? NO_PARAMS);
    if (method === METHODS.notificationsCancelled) {
      return this.#asked.get(at(message, ['params', 'requestId']))?.abort.abort();
    }
    if (params === undefined) return;
    this.#hasNotified = true;
    await this.#stage.notify(method, params);
  }

  /** Waits until a message was sent, by the time of the task that it is about. */
  async #wait({ place, ms }: Pick<Step, 'place' | 'ms'>, task = this.#task): Promise<void> {
    if (this.#stage.isOld === true) return;
    if (task === undefined) await this.#clock.until(ms);
    else await task.clock.until(task.timeline.moments.get(place) ?? ms);
  }

  #ask(id: unknown, method: string, params: JsonObject): void {
    const abort = new AbortController();
    const answer = this.#stage
      .ask(method, params, abort.signal)
      .catch((error: unknown) => ({ error }));
    this.#asked.set(id, { answer, abort });
  }

  /** Waits for the client. Returns the step to go on from, which may be one of another exchange with the same answer. */
  async #answered({ message, ms }: Step, at: number, count: number): Promise<number> {
    const result = await this.#asked.get(message['id'])?.answer;
    if (result === undefined || this.#isOver) return at;
    const same = isAnswer(message, result) ? undefined : this.#alternative(count, result);
    if (same !== undefined) {
      this.#script = same.script;
      this.#clock.set(same.script.before[same.at]?.ms);
      return same.at;
    }
    if (this.#task === undefined) this.#clock.set(ms);
    else this.#task.act();
    return at;
  }

  /** An equal request whose client gave this answer at this place. */
  #alternative(
    count: number,
    result: JsonObject,
  ): { readonly script: Script; readonly at: number } | undefined {
    const { model } = this.#parts;
    const { asked } = this.#script;
    let compared = 0;
    for (const exchange of model.candidates(asked)) {
      if ((compared += 1) > MOST_ALTERNATIVES) return undefined;
      if (!matches(model.askedIn(exchange), asked)) continue;
      const script = scriptOf(model, exchange);
      const answers = [...script.before.keys()].filter(
        (at) => script.before[at]?.kind === 'answered',
      );
      const at = answers[count];
      const step = at === undefined ? undefined : script.before[at];
      if (at !== undefined && step && isAnswer(step.message, result)) return { script, at };
    }
    return undefined;
  }

  #end({ message, sent }: Recorded): Played {
    const { taskId, revision, after, exchange } = this.#script;
    const { model, tasks, speed, timers } = this.#parts;
    const task =
      taskId === undefined
        ? undefined
        : tasks.add({
            timeline: timelineOf(model, taskId),
            dialect: dialectOfVersion(revision),
            speed,
            timers,
            creator: exchange,
          });
    this.#task = task ?? this.#task;
    const { talk } = this.#client;
    if (after.length > 0 && talk !== undefined) {
      void this.#afterwards(after, talk).catch(() => undefined);
    }
    if (isObject(message['error'])) {
      const { code, message: text } = message['error'];
      const data = at(sent, ['error', 'data']);
      throw rpcError(Number(code ?? ERROR_CODES.InternalError), String(text), data);
    }
    const result = isObject(sent['result']) ? sent['result'] : {};
    return { result: tasks.shown(result, this.#task), task };
  }

  /** Sends to a session what came when the request was answered already. Without a session, it has no way. */
  async #afterwards(steps: readonly Step[], talk: Talk): Promise<void> {
    this.#stage = talk;
    for (const step of steps) {
      // A client takes questions when it has said that the handshake is over.
      if (step.kind === 'ask') await talk.begun;
      if (step.kind === 'answered') await this.#asked.get(step.message['id'])?.answer;
      else await this.#send(step);
    }
  }

  /** Params with what this client chose itself: its progress token, its ids. Undefined for what it did not ask for. */
  #own(params: unknown): JsonObject | undefined {
    if (!isObject(params)) return NO_PARAMS;
    const own = this.#parts.tasks.shown(params, this.#task);
    const { token, id } = this.#client;
    const isProgress = own['progressToken'] !== undefined;
    if (isProgress && token === undefined) return undefined;
    const meta = own['_meta'];
    const isListening = isObject(meta) && META_KEYS.subscriptionId in meta;
    return {
      ...own,
      ...(isProgress && { progressToken: token }),
      ...(isListening && {
        _meta: { ...meta, [META_KEYS.subscriptionId]: id },
      }),
    };
  }
}

function recordedTaskOf(message: JsonObject): unknown {
  return at(message, ['params', 'taskId']);
}

/** Whether the client's answer is the recorded one. Of errors, each is like any other. */
function isAnswer(recorded: JsonObject, result: JsonObject): boolean {
  if ('error' in recorded) return 'error' in result;
  return isLike(recorded['result'], result);
}

/** The client of a request, which is asked by messages. */
export function clientOf({ id, meta }: ServerExchange, talk: Talk | undefined): Client {
  return { id, token: meta?.['progressToken'], talk };
}

export function stageOf(exchange: ServerExchange): Stage {
  return {
    get isOver() {
      return exchange.isOver;
    },
    notify: (method, params) => exchange.notify(method, sentParams(params)),
    ask: (method, params, signal) => exchange.ask(method, sentParams(params), { signal }),
  };
}
