import type { Dialect, JsonObject } from '../../runtime/tasks/index.js';
import { Clock, type Timers } from './clock.js';
import { isLike } from './request-key.js';
import { isSameState, type State, type Timeline } from './timeline.js';

const FINAL: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);

export interface LiveTaskParts {
  /** As this client sees it. */
  readonly id: string;
  readonly timeline: Timeline;
  /** The dialect in which it was recorded. */
  readonly dialect: Dialect;
  readonly speed: number;
  readonly timers: Timers;
  /** The recorded exchange that created it; undefined for a task that was not recorded. */
  readonly creator: number | undefined;
}

/** A recorded task that a client has created again. */
export class LiveTask {
  readonly id: string;
  readonly dialect: Dialect;
  readonly creator: number | undefined;
  timeline: Timeline;
  clock: Clock;
  readonly #created = Date.now();
  readonly #parts: LiveTaskParts;
  #position = 0;
  #isCancelled = false;

  constructor(parts: LiveTaskParts) {
    const { id, timeline, dialect, creator } = parts;
    this.#parts = parts;
    this.id = id;
    this.dialect = dialect;
    this.creator = creator;
    this.timeline = timeline;
    this.clock = this.#clockFrom(timeline.states[0]?.ms ?? 0);
  }

  get recordedId(): string {
    return this.timeline.taskId;
  }

  get isOver(): boolean {
    return this.#isCancelled || isOver(this.timeline.states[this.#position]);
  }

  /** The state that was shown last, or its first one. */
  get current(): JsonObject {
    return this.#shown(this.timeline.states[this.#position]);
  }

  /**
   * Its state now, which is never one before a state that was shown. Where nothing waits, each look finds the next
   * state, so that the client sees all of them.
   */
  look(): JsonObject {
    const { states } = this.timeline;
    const now = this.clock.now();
    let next = this.#position;
    while (next + 1 < states.length && (states[next + 1]?.ms ?? Infinity) < now) {
      next += 1;
      if (this.#parts.speed === Infinity) break;
    }
    this.#position = next;
    return this.#shown(states[next]);
  }

  /** Notes that a state was sent in another message, and shows it as the task of this client. */
  sent(task: JsonObject): JsonObject {
    const index = this.timeline.states.findIndex((each) => isSameState(each.task, task));
    this.#position = Math.max(this.#position, index);
    return this.#shown({ ms: 0, task });
  }

  /** Its last recorded state. */
  end(): JsonObject {
    this.#position = Math.max(0, this.timeline.states.length - 1);
    return this.#shown(this.timeline.states.at(-1));
  }

  /** Resolves when the next state is reached, or at once after the last one. */
  async next(): Promise<boolean> {
    const state = this.timeline.states[this.#position + 1];
    if (state === undefined) return false;
    await this.clock.until(state.ms);
    return true;
  }

  /** The client did what the task waited for: an answer, or a cancellation. */
  act(): void {
    this.clock.open();
  }

  /** Whether the recorded client answered the same. */
  isAnsweredBy(responses: unknown): boolean {
    const [next] = this.timeline.acts.filter(({ ms }) => ms >= this.clock.limit);
    return next === undefined || isLike(next.responses, responses);
  }

  /** Goes on as another recorded task, whose client answered the same as this one. */
  become(timeline: Timeline): void {
    const [act] = timeline.acts;
    this.timeline = timeline;
    const before = timeline.states.findLastIndex(({ ms }) => ms < (act?.ms ?? 0));
    this.#position = Math.max(0, before);
    this.clock = this.#clockFrom(timeline.states[this.#position]?.ms ?? 0);
  }

  /** The client cancels a task that the recorded one did not cancel. Returns whether it was open. */
  cancel(): boolean {
    if (this.#parts.speed !== Infinity) this.look();
    if (this.isOver) return false;
    return (this.#isCancelled = true);
  }

  #clockFrom(ms: number): Clock {
    const { speed, timers } = this.#parts;
    const gates = this.timeline.acts.map((act) => act.ms);
    return new Clock(speed, ms, timers, gates);
  }

  #shown(state: State | undefined): JsonObject {
    const { task = {} } = state ?? {};
    const { createdAt, lastUpdatedAt } = task;
    const own = {
      ...task,
      taskId: this.id,
      ...(typeof createdAt === 'string' && { createdAt: this.#moved(createdAt) }),
      ...(typeof lastUpdatedAt === 'string' && { lastUpdatedAt: this.#moved(lastUpdatedAt) }),
    };
    if (!this.#isCancelled || isOver(state)) return own;
    return { ...own, status: 'cancelled', inputRequests: undefined };
  }

  /** A time of the recording as a time of this task. Its distance from the creation is scaled. */
  #moved(time: string): string {
    const created = this.timeline.states[0]?.task['createdAt'];
    const first = typeof created === 'string' ? created : time;
    const passed = (Date.parse(time) - Date.parse(first)) / this.#parts.speed;
    if (!Number.isFinite(passed)) return time;
    const moved = new Date(this.#created + passed);
    return Number.isNaN(moved.getTime()) ? time : moved.toISOString();
  }
}

function isOver(state: State | undefined): boolean {
  return FINAL.has(state?.task['status']);
}
