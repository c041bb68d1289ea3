import { METHODS } from '../../runtime/protocol.js';
import type { Dialect, JsonObject } from '../../runtime/tasks/index.js';
import { at, member } from '../../runtime/peer/wire/json.js';
import { Clock } from './clock.js';
import { taskIdIn, taskIn } from './messages.js';
import type { Model } from './model.js';
import { isLike } from './request-key.js';

const FINAL: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);

/** A moment of a recorded task: a state that the server showed, or what the client answered to the task. */
interface Moment<T> {
  /** In order, and no two are equal. */
  readonly ms: number;
  readonly shown: T;
}

/** A recorded task from its creation on. */
interface Timeline {
  readonly taskId: string;
  /** The task as `tasks/get` shows it, if it did. No two that follow each other are alike. */
  readonly states: readonly Moment<JsonObject>[];
  /** What the client did that the task waited for: its answers by the keys of the questions, or undefined. */
  readonly acts: readonly Moment<unknown>[];
  /** The time of each message about it, by its place. */
  readonly times: ReadonlyMap<number, number>;
}

/** States of one task. Those that equal the one before are not counted. */
const MOST_STATES = 1_000;
/** Messages about one task that are read. */
const MOST_MESSAGES = 50_000;
/** Milliseconds between moments without a time, or with the same one. */
const TICK = 0.001;

function timelineOf(model: Model, taskId: string): Timeline {
  const states: Moment<JsonObject>[] = [];
  const acts: Moment<unknown>[] = [];
  const times = new Map<number, number>();
  let last = -Infinity;
  let read = 0;
  for (const { recorded, isAct } of model.historyOf(taskId)) {
    if ((read += 1) > MOST_MESSAGES) break;
    const { message, sent, place } = recorded;
    // Another task may have the same key.
    if ((taskIdIn(message) ?? taskId) !== taskId) continue;
    const ms = Math.max(recorded.ms ?? (last === -Infinity ? 0 : last), last + TICK);
    last = ms;
    times.set(place, ms);
    if (states.length + acts.length >= MOST_STATES) continue;
    const task = taskIn(sent);
    if (isAct) acts.push({ ms, shown: responsesIn(message) });
    else if (task !== undefined) addState(states, { ms, shown: task }, task === sent['result']);
  }
  return { taskId, states, acts, times };
}

/** A state that equals the one before is not added. */
function addState(
  states: Moment<JsonObject>[],
  state: Moment<JsonObject>,
  isResult: boolean,
): void {
  const before = states.at(-1);
  if (before === undefined || !isSameState(before.shown, state.shown)) states.push(state);
  else if (isResult) states[states.length - 1] = { ...before, shown: state.shown };
}

/** Whether two states differ only in what a task does not show everywhere: times, and what is beside the task. */
function isSameState(a: JsonObject, b: JsonObject): boolean {
  const keys = ['status', 'statusMessage', 'inputRequests', 'result', 'error'];
  return keys.every((key) => isLike(a[key], b[key]));
}

function responsesIn(message: JsonObject): unknown {
  if (message['method'] === METHODS.tasksUpdate) return at(message, ['params', 'inputResponses']);
  return member(message, 'result');
}

export interface LiveTaskParts {
  /** As this client sees it. */
  readonly id: string;
  readonly model: Model;
  /** The id of the recorded task. */
  readonly taskId: string;
  /** The dialect in which it was recorded. */
  readonly dialect: Dialect;
  readonly speed: number;
  /** The recorded exchange that created it. */
  readonly creator: number;
}

/** A recorded task that a client has created again. */
export class LiveTask {
  readonly id: string;
  readonly dialect: Dialect;
  clock: Clock;
  readonly #created = Date.now();
  readonly #parts: LiveTaskParts;
  #timeline: Timeline;
  #position = 0;
  #isCancelled = false;

  constructor(parts: LiveTaskParts) {
    this.#parts = parts;
    this.id = parts.id;
    this.dialect = parts.dialect;
    this.#timeline = timelineOf(parts.model, parts.taskId);
    this.clock = this.#clockFrom(this.#timeline.states[0]?.ms ?? 0);
  }

  get recordedId(): string {
    return this.#timeline.taskId;
  }

  get isOver(): boolean {
    return this.#isCancelled || FINAL.has(this.#state?.shown['status']);
  }

  /** The state that was shown last, or its first one. */
  get current(): JsonObject {
    return this.#shown(this.#state?.shown);
  }

  /** The time of a recorded message about it. */
  timeOf(place: number): number | undefined {
    return this.#timeline.times.get(place);
  }

  /**
   * Its state now, which is never one before a state that was shown. Where nothing waits, each look finds the next
   * state, so that the client sees all of them.
   */
  look(): JsonObject {
    const { states } = this.#timeline;
    const now = this.clock.now();
    while ((states[this.#position + 1]?.ms ?? Infinity) < now) {
      this.#position += 1;
      if (this.#parts.speed === Infinity) break;
    }
    return this.current;
  }

  /** Notes that a state was sent in another message, and shows it as the task of this client. */
  sent(task: JsonObject): JsonObject {
    const index = this.#timeline.states.findIndex(({ shown }) => isSameState(shown, task));
    this.#position = Math.max(this.#position, index);
    return this.#shown(task);
  }

  /** The client has its result. */
  end(): void {
    this.#position = Math.max(0, this.#timeline.states.length - 1);
  }

  /** Resolves when the next state is reached, or at once after the last one. */
  async next(): Promise<boolean> {
    const state = this.#timeline.states[this.#position + 1];
    await this.clock.until(state?.ms);
    return state !== undefined;
  }

  /** The client did what the task waited for: an answer, or a cancellation. */
  act(): void {
    this.clock.open();
  }

  /** Goes on as another task of an equal request, if its client answered the same as this one. */
  become(responses: unknown): void {
    const next = this.#timeline.acts.find(({ ms }) => ms >= this.clock.limit);
    if (next === undefined || isLike(next.shown, responses)) return;
    const { model, creator } = this.#parts;
    for (const exchange of model.equalTo(model.askedIn(creator))) {
      const taskId = model.createdBy(exchange);
      const timeline = taskId === undefined ? undefined : timelineOf(model, taskId);
      const act = timeline?.acts[0];
      if (timeline === undefined || act === undefined || !isLike(act.shown, responses)) continue;
      this.#timeline = timeline;
      this.#position = Math.max(
        0,
        timeline.states.findLastIndex(({ ms }) => ms < act.ms),
      );
      this.clock = this.#clockFrom(this.#state?.ms ?? 0);
      return;
    }
  }

  /** The client cancels a task that the recorded one did not cancel. Returns whether it was open. */
  cancel(): boolean {
    if (this.#parts.speed !== Infinity) this.look();
    if (this.isOver) return false;
    return (this.#isCancelled = true);
  }

  get #state(): Moment<JsonObject> | undefined {
    return this.#timeline.states[this.#position];
  }

  #clockFrom(ms: number): Clock {
    const gates = this.#timeline.acts.map((act) => act.ms);
    return new Clock(this.#parts.speed, ms, gates);
  }

  #shown(task: JsonObject = {}): JsonObject {
    const own: Record<string, unknown> = { ...task, taskId: this.id };
    for (const key of ['createdAt', 'lastUpdatedAt']) {
      if (typeof own[key] === 'string') own[key] = this.#moved(own[key]);
    }
    if (!this.#isCancelled || FINAL.has(task['status'])) return own;
    return { ...own, status: 'cancelled', inputRequests: undefined };
  }

  /** A time of the recording as a time of this task. Its distance from the creation is scaled. */
  #moved(time: string): string {
    const created = this.#timeline.states[0]?.shown['createdAt'];
    const first = typeof created === 'string' ? created : time;
    const passed = (Date.parse(time) - Date.parse(first)) / this.#parts.speed;
    const moved = new Date(this.#created + passed);
    return Number.isNaN(moved.getTime()) ? time : moved.toISOString();
  }
}
