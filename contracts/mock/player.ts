import { rpcError } from '../../runtime/peer/index.js';
import { ERROR_CODES, META_KEYS, METHODS } from '../../runtime/protocol.js';
import type { ServerExchange } from '../../runtime/server/guest.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { at, isObject, member } from '../../runtime/peer/wire/json.js';
import { Clock, pause } from './clock.js';
import type { LiveTask } from './live-task.js';
import type { LiveTasks } from './live-tasks.js';
import { kindOf } from './messages.js';
import type { Script } from './model.js';
import type { Recorded } from './recording.js';
import { isLike } from './request-key.js';
import { NO_PARAMS, sentParams, type Talk } from './talk.js';

/** Where an exchange is played: to a client, or to a handler of the runtime. */
export interface Stage {
  /** The client does not wait any more. */
  readonly isOver: boolean;
  /** What comes now was done before, and is not waited for. */
  readonly isOld?: boolean;
  /** What the client chose itself: the id of its request, and its progress token, where it wants progress. */
  readonly id?: unknown;
  readonly token?: unknown;
  readonly talk?: Talk | undefined;
  notify(method: string, params: JsonObject): Promise<void>;
  /** Asks the client, and resolves with its result. */
  ask(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
}

/** The client of a request, which is asked by messages. */
export function stageOf(exchange: ServerExchange, talk: Talk | undefined): Stage {
  return {
    get isOver() {
      return exchange.isOver;
    },
    id: exchange.id,
    token: exchange.meta?.['progressToken'],
    talk,
    notify: (method, params) => exchange.notify(method, sentParams(params)),
    ask: (method, params, signal) => exchange.ask(method, sentParams(params), { signal }),
  };
}

/**
 * Milliseconds between notifications and the answer. Clients of the SDK drop progress that they read in one piece with its
 * answer.
 */
const APART = 10;

/** The answer of the recorded server, and the task that it created. */
export interface Played {
  readonly result: JsonObject;
  readonly task: LiveTask | undefined;
}

/**
 * Plays an exchange: sends what the server sent, when it sent it. Resolves with the recorded result, or rejects with the
 * recorded error. `task` is the one that the exchange is about: its time goes on while it is played.
 */
export function play(
  tasks: LiveTasks,
  exchange: number,
  stage: Stage,
  task?: LiveTask,
): Promise<Played> {
  return new Run(tasks, tasks.model.scriptOf(exchange), stage, task).play();
}

/** One exchange, while it is played. */
class Run {
  readonly #tasks: LiveTasks;
  readonly #client: Stage;
  #stage: Stage;
  #task: LiveTask | undefined;
  readonly #clock: Clock;
  /** Answers of the client that have not come yet, by the recorded ids of their questions. */
  readonly #asked = new Map<unknown, { answer: Promise<JsonObject>; abort: AbortController }>();
  #script: Script;
  #hasNotified = false;

  constructor(tasks: LiveTasks, script: Script, stage: Stage, task: LiveTask | undefined) {
    this.#tasks = tasks;
    this.#script = script;
    this.#client = stage;
    this.#stage = stage;
    this.#task = task;
    this.#clock = task?.clock ?? new Clock(tasks.speed, script.begin ?? 0);
  }

  async play(): Promise<Played> {
    let answers = 0;
    for (let at = 0; !this.#stage.isOver; at += 1) {
      const step = this.#script.before[at];
      if (step === undefined) break;
      if (kindOf(step.message) !== 'answer') await this.#send(step);
      else at = await this.#answered(step, at, answers++);
    }
    const { answer } = this.#script;
    // The request was withdrawn, or lasts as long as its client wants.
    if (answer === undefined) return new Promise(() => undefined);
    await this.#wait(answer);
    if (this.#hasNotified) await pause(APART);
    return this.#end(answer);
  }

  async #send(step: Recorded): Promise<void> {
    const { message, sent } = step;
    const about = at(message, ['params', 'taskId']);
    const isOwn = about !== undefined && about === this.#task?.recordedId;
    await this.#wait(step, isOwn ? this.#task : this.#tasks.latest(about));
    if (this.#stage.isOver) return;
    const method = String(message['method']);
    const params = this.#own(member(sent, 'params'));
    if (kindOf(message) === 'request') {
      return this.#ask(message['id'], method, params ?? NO_PARAMS);
    }
    if (method === METHODS.notificationsCancelled) {
      return this.#asked.get(at(message, ['params', 'requestId']))?.abort.abort();
    }
    if (params === undefined) return;
    this.#hasNotified = true;
    await this.#stage.notify(method, params);
  }

  /** Waits until a message was sent, by the time of the task that it is about. */
  async #wait({ place, ms }: Recorded, task = this.#task): Promise<void> {
    if (this.#stage.isOld === true) return;
    await (task?.clock ?? this.#clock).until(task?.timeOf(place) ?? ms);
  }

  #ask(id: unknown, method: string, params: JsonObject): void {
    const abort = new AbortController();
    const answer = this.#stage
      .ask(method, params, abort.signal)
      .catch((error: unknown) => ({ error }));
    this.#asked.set(id, { answer, abort });
  }

  /** Waits for the client. Returns the step to go on from, which may be one of another exchange with the same answer. */
  async #answered({ message, ms }: Recorded, at: number, count: number): Promise<number> {
    const result = await this.#asked.get(message['id'])?.answer;
    if (result === undefined || this.#stage.isOver) return at;
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
  #alternative(count: number, result: JsonObject): { script: Script; at: number } | undefined {
    const { model } = this.#tasks;
    for (const exchange of model.equalTo(this.#script.asked)) {
      const script = model.scriptOf(exchange);
      const answers = [...script.before.entries()].filter(
        ([, { message }]) => kindOf(message) === 'answer',
      );
      const [at, step] = answers[count] ?? [];
      if (at !== undefined && step && isAnswer(step.message, result)) return { script, at };
    }
    return undefined;
  }

  #end({ message, sent }: Recorded): Played {
    const { after } = this.#script;
    const task = this.#tasks.createdBy(this.#script);
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
    return { result: this.#tasks.shown(result, this.#task), task };
  }

  /** Sends to a session what came when the request was answered already. Without a session, it has no way. */
  async #afterwards(steps: readonly Recorded[], talk: Talk): Promise<void> {
    this.#stage = talk;
    for (const step of steps) {
      const kind = kindOf(step.message);
      // A client takes questions when it has said that the handshake is over.
      if (kind === 'request') await talk.begun;
      if (kind === 'answer') await this.#asked.get(step.message['id'])?.answer;
      else await this.#send(step);
    }
  }

  /** Params with what this client chose itself: its progress token, its ids. Undefined for what it did not ask for. */
  #own(params: unknown): JsonObject | undefined {
    if (!isObject(params)) return NO_PARAMS;
    const own = this.#tasks.shown(params, this.#task);
    const { token, id } = this.#client;
    const isProgress = own['progressToken'] !== undefined;
    if (isProgress && token === undefined) return undefined;
    const meta = own['_meta'];
    const isListening = isObject(meta) && META_KEYS.subscriptionId in meta;
    return {
      ...own,
      ...(isProgress && { progressToken: token }),
      ...(isListening && { _meta: { ...meta, [META_KEYS.subscriptionId]: id } }),
    };
  }
}

/** Whether the client's answer is the recorded one. Of errors, each is like any other. */
function isAnswer(recorded: JsonObject, result: JsonObject): boolean {
  if ('error' in recorded) return 'error' in result;
  return isLike(recorded['result'], result);
}
