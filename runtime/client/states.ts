import type { Task as CoreTask } from '../../generated/2025-11-25/types.js';
import type { Task as ExtTask } from '../../generated/ext-tasks/types.js';
import { METHODS } from '../protocol.js';
import { DIALECTS } from '../rules/tasks.js';
import type { Dialect, JsonObject } from '../tasks/index.js';
import { isTerminal } from '../tasks/index.js';
import { invalidAnswer } from './errors.js';
import { at, beginningOf, member } from '../peer/wire/json.js';
import type { Merged } from '../peer/wire/messages.js';
import { messagesOf } from '../peer/wire/revision.js';
import type { Fault } from '../transport/reading/envelope.js';
import { isId, MAX_ID_LENGTH } from './reference.js';
import { dialectOf } from './revisions.js';
import type { TaskState, ToolResult } from './types.js';

/** A time that the server did not send, or not as one. */
const UNKNOWN_TIME = new Date(0).toISOString();

/**
 * What stands for a member of a task that is missing or invalid, so that the client can follow the task all the same.
 * Undefined leaves the member out.
 */
const REPAIRS: JsonObject = {
  createdAt: UNKNOWN_TIME,
  lastUpdatedAt: UNKNOWN_TIME,
  ttl: null,
  ttlMs: null,
  pollInterval: undefined,
  pollIntervalMs: undefined,
  statusMessage: undefined,
  _meta: undefined,
};
/** The polls show the status. */
const CREATED_REPAIRS = { ...REPAIRS, status: 'working' };

/** A task, and what is wrong with it, if it is followed all the same. */
export interface ReadTask {
  readonly state: TaskState;
  readonly problem?: string | undefined;
}

/** The id of the task in an answer to a call, whatever is wrong with the rest. */
export function taskIdIn(dialect: Dialect, answer: JsonObject): string | undefined {
  const id = at(answer, dialect === 'core' ? ['task', 'taskId'] : ['taskId']);
  return isId(id) ? id : undefined;
}

/** The task in a `CreateTaskResult`, and its `_meta`. Throws `invalid_answer` if it has no valid id. */
export function createdTask(
  dialect: Dialect,
  answer: JsonObject,
): ReadTask & { readonly meta: JsonObject | undefined } {
  const { validateCreateTaskResult } = dialectOf(dialect);
  const { value, problem } = repaired(answer, dialect === 'core' ? 'task' : undefined, {
    repairs: CREATED_REPAIRS,
    faultsOf(each) {
      const checked = validateCreateTaskResult(each);
      return checked.ok ? [] : checked.errors;
    },
    what: 'The answer is not a valid task',
  });
  const task = (dialect === 'core' ? value['task'] : value) as ShownTask;
  return { state: stateOf(dialect, task), problem, meta: value['_meta'] as JsonObject | undefined };
}

/** The task in an answer to `tasks/get`. Throws `invalid_answer`, also for a task of another id. */
export function fetchedTask(
  dialect: Dialect,
  taskId: string,
  answer: JsonObject,
): ReadTask & { readonly task: JsonObject } {
  const { revision } = dialectOf(dialect);
  const { value, problem } = repaired(complete(dialect, answer), undefined, {
    repairs: { ...REPAIRS, taskId },
    faultsOf: (each) => revision.checkResult(METHODS.tasksGet, each)?.faults ?? [],
    what: 'The answer to tasks/get is not a valid task',
  });
  const state = stateOf(dialect, value as ShownTask);
  if (state.taskId !== taskId) {
    throw invalidAnswer(`tasks/get for ${taskId} returned the task ${state.taskId}`);
  }
  return { state, problem, task: value };
}

type Flaw = Pick<Fault, 'message' | 'pointer'>;

interface Repairing {
  readonly repairs: JsonObject;
  readonly faultsOf: (answer: JsonObject) => readonly Flaw[];
  /** Begins the message of an error. */
  readonly what: string;
}

/**
 * An answer without the faults that its task can be followed with. `place`: the member that contains the task, if it is not
 * the answer itself. Throws `invalid_answer` for other faults.
 */
function repaired(
  answer: JsonObject,
  place: string | undefined,
  { repairs, faultsOf, what }: Repairing,
): { readonly value: JsonObject; readonly problem: string | undefined } {
  let value = answer;
  let problem: string | undefined;
  for (let round = 0; ; round += 1) {
    const found = faultsOf(value);
    const faults = found.length > 0 ? found : timeFaults(value, place);
    if (faults.length === 0) return { value, problem };
    problem ??= messagesOf(faults);
    const names = faults.map(({ pointer }) => pointer.split('/').slice(1));
    for (const [first = '', second = ''] of names) {
      const isInside = first === place;
      const name = isInside ? second : first;
      // Validators report a few faults at once, so all are found after several rounds.
      if (!Object.hasOwn(repairs, name) || round > MOST_ROUNDS)
        throw invalidAnswer(`${what}: ${problem}`);
      const change = { [name]: repairs[name] };
      value = {
        ...value,
        ...(isInside ? { [first]: { ...(value[first] as JsonObject), ...change } } : change),
      };
    }
  }
}

const MOST_ROUNDS = 10;

/** Times that are texts, but none of RFC 3339, which schemas do not exclude. */
function timeFaults(answer: JsonObject, place: string | undefined): readonly Flaw[] {
  const task = place === undefined ? answer : answer[place];
  const before = place === undefined ? '' : `/${place}`;
  return ['createdAt', 'lastUpdatedAt'].flatMap((name) => {
    const time = member(task, name);
    if (typeof time !== 'string' || !Number.isNaN(Date.parse(time))) return [];
    const pointer = `${before}/${name}`;
    return [{ pointer, message: `${pointer} must be an RFC 3339 time, not ${quoted(time)}.` }];
  });
}

function quoted(text: string): string {
  return JSON.stringify(beginningOf(text));
}

/** A tool's result. Throws `invalid_answer`. */
export function toolResult(dialect: Dialect, answer: JsonObject): ToolResult {
  const { revision } = dialectOf(dialect);
  const { resultType: _, ...result } = answer;
  const whole = complete(dialect, answer);
  const problem = revision.checkToolResult(whole);
  if (problem !== undefined) {
    const { structuredContent: __, ...others } = whole;
    const isElseValid = revision.checkToolResult(others) === undefined;
    throw invalidAnswer(
      `The answer is not a valid tool result: ${problem.message}`,
      isElseValid ? (result as ToolResult) : undefined,
    );
  }
  if ('task' in answer) throw invalidAnswer('The server sent a task instead of a result');
  return result as ToolResult;
}

/** Adds the `resultType` that a result inside of a task may lack. */
function complete(dialect: Dialect, answer: JsonObject): JsonObject {
  return { ...DIALECTS[dialect].resultFields, ...answer };
}

/** A task of either dialect that matches its schema. */
export type ShownTask = Merged<CoreTask | ExtTask>;

/** The state of a task. Throws `invalid_answer` for values that schemas cannot exclude. */
export function stateOf(dialect: Dialect, task: ShownTask): TaskState {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt } = task;
  const [ttl, pollInterval] =
    dialect === 'core' ? [task.ttl, task.pollInterval] : [task.ttlMs, task.pollIntervalMs];
  if (!isId(taskId)) throw invalidAnswer(`A task id must have 1 to ${MAX_ID_LENGTH} characters`);
  const [fault] = timeFaults(task, undefined);
  if (fault !== undefined) throw invalidAnswer(`The task is invalid: ${fault.message}`);
  return {
    dialect,
    taskId,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttl: typeof ttl === 'number' ? ttl : null,
    ...(typeof pollInterval === 'number' && { pollInterval }),
  };
}

/** Whether the two states differ. */
export function hasChanged(known: TaskState, next: TaskState): boolean {
  return (
    known.status !== next.status ||
    known.statusMessage !== next.statusMessage ||
    known.lastUpdatedAt !== next.lastUpdatedAt ||
    known.ttl !== next.ttl ||
    known.pollInterval !== next.pollInterval
  );
}

/** Whether a state is older than the last one that is known. */
export function isOlder(known: TaskState, next: TaskState): boolean {
  if (next.lastUpdatedAt === UNKNOWN_TIME) return false;
  return Date.parse(next.lastUpdatedAt) < Date.parse(known.lastUpdatedAt);
}

/** Throws `invalid_answer` when the protocol does not allow this change of state. */
export function assertFollows(known: TaskState, next: TaskState): void {
  const times = [known.createdAt, next.createdAt];
  if (known.createdAt !== next.createdAt && !times.includes(UNKNOWN_TIME)) {
    throw invalidAnswer(
      `The task's createdAt changed from ${known.createdAt} to ${next.createdAt}`,
    );
  }
  if (isTerminal(known.status) && known.status !== next.status) {
    throw invalidAnswer(`The task changed from the final status ${known.status} to ${next.status}`);
  }
}
