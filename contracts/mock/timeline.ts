import { METHODS } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { at, member } from '../../runtime/peer/wire/json.js';
import type { Model } from './model.js';
import type { Recorded } from './recording.js';
import { isLike } from './request-key.js';
import { taskIdIn, taskIn } from './tasks-in.js';

/** A state of a task, as the server showed it first. */
export interface State {
  /** In order, and no two are equal. */
  readonly ms: number;
  /** As `tasks/get` shows it, if it did. */
  readonly task: JsonObject;
}

/** A moment at which the client did something that the task waited for. */
export interface Act {
  readonly ms: number;
  /** What the client answered, by the keys of the questions. Undefined for another act. */
  readonly responses: unknown;
}

/** A task from its creation on. */
export interface Timeline {
  readonly taskId: string;
  readonly states: readonly State[];
  readonly acts: readonly Act[];
  /** The time of each message about it, by its place: in order, and no two are equal. */
  readonly moments: ReadonlyMap<number, number>;
}

/** States of one task. Those that equal the one before are not counted. */
const MOST_STATES = 1_000;
/** Messages about one task that are read. */
const MOST_MESSAGES = 50_000;
/** Milliseconds between moments without a time, or with the same one. */
const TICK = 0.001;

export function timelineOf(model: Model, taskId: string): Timeline {
  const places = [...first(model.placesOf(taskId), MOST_MESSAGES)];
  const actions = new Set(first(model.actsOn(taskId), MOST_MESSAGES));
  const states: State[] = [];
  const acts: Act[] = [];
  const moments = new Map<number, number>();
  let last = -Infinity;
  for (const place of places) {
    const recorded = model.recording.at(place);
    const task = taskIn(recorded.sent);
    // Another task may have the same key.
    if ((taskIdIn(recorded.message) ?? taskId) !== taskId) continue;
    const ms = momentAfter(last, recorded);
    last = ms;
    moments.set(place, ms);
    if (states.length + acts.length >= MOST_STATES) continue;
    if (actions.has(place)) acts.push({ ms, responses: responsesIn(recorded.message) });
    else if (task !== undefined) addState(states, { ms, task }, recorded.sent);
  }
  return { taskId, states, acts, moments };
}

function* first<T>(values: Iterable<T>, most: number): Generator<T, void> {
  let count = 0;
  for (const value of values) {
    if ((count += 1) > most) return;
    yield value;
  }
}

/** A state that equals the one before is not added. */
function addState(states: State[], state: State, message: JsonObject): void {
  const before = states.at(-1);
  if (before === undefined || !isSameState(before.task, state.task)) states.push(state);
  else if (state.task === message['result']) {
    states[states.length - 1] = { ...before, task: state.task };
  }
}

function momentAfter(last: number, { ms }: Recorded): number {
  const time = ms ?? last;
  if (last === -Infinity) return Number.isFinite(time) ? time : 0;
  return Math.max(time, last + TICK);
}

/** Whether two states differ only in what a task does not show everywhere: times, and what is beside the task. */
export function isSameState(a: JsonObject, b: JsonObject): boolean {
  const keys = ['status', 'statusMessage', 'inputRequests', 'result', 'error'];
  return keys.every((key) => isLike(a[key], b[key]));
}

function responsesIn(message: JsonObject): unknown {
  if (message['method'] === METHODS.tasksUpdate) return at(message, ['params', 'inputResponses']);
  return member(message, 'result');
}
