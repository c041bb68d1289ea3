import type { Task as CoreTask } from '../../generated/2025-11-25/types.js';
import type { Task as ExtTask } from '../../generated/ext-tasks/types.js';
import { METHODS } from '../protocol.js';
import type { Dialect, JsonObject } from '../tasks/index.js';
import { isTerminal } from '../tasks/index.js';
import { invalidAnswer } from './errors.js';
import type { Merged } from '../peer/wire/messages.js';
import { messagesOf } from '../peer/wire/revision.js';
import { isId, MAX_ID_LENGTH } from './reference.js';
import { dialectOf } from './revisions.js';
import type { TaskState, ToolResult } from './types.js';

/** The task in a `CreateTaskResult`, and its `_meta`. Throws `invalid_answer`. */
export function createdTask(
  dialect: Dialect,
  answer: JsonObject,
): { readonly task: TaskState; readonly meta: JsonObject | undefined } {
  const checked = dialectOf(dialect).validateCreateTaskResult(answer);
  if (!checked.ok) {
    throw invalidAnswer(`The answer is not a valid task: ${messagesOf(checked.errors)}`);
  }
  const { value } = checked;
  const task = (dialect === 'core' ? value['task'] : value) as ShownTask;
  return { task: stateOf(dialect, task), meta: value._meta };
}

/** The task in an answer to `tasks/get`. Throws `invalid_answer`, also for a task of another id. */
export function fetchedTask(dialect: Dialect, taskId: string, answer: JsonObject): TaskState {
  const problem = dialectOf(dialect).revision.checkResult(
    METHODS.tasksGet,
    complete(dialect, answer),
  );
  if (problem !== undefined)
    throw invalidAnswer(`The answer to tasks/get is not a valid task: ${problem.message}`);
  const state = stateOf(dialect, answer as ShownTask);
  if (state.taskId !== taskId) {
    throw invalidAnswer(`tasks/get for ${taskId} returned the task ${state.taskId}`);
  }
  return state;
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
  return dialect === 'ext' ? { resultType: 'complete', ...answer } : answer;
}

/** A task of either dialect that matches its schema. */
export type ShownTask = Merged<CoreTask | ExtTask>;

/** The state of a task. Throws `invalid_answer` for values that schemas cannot exclude. */
export function stateOf(dialect: Dialect, task: ShownTask): TaskState {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt } = task;
  const [ttl, pollInterval] =
    dialect === 'core' ? [task.ttl, task.pollInterval] : [task.ttlMs, task.pollIntervalMs];
  if (!isId(taskId)) throw invalidAnswer(`A task id must have 1 to ${MAX_ID_LENGTH} characters`);
  for (const [name, time] of Object.entries({ createdAt, lastUpdatedAt })) {
    if (Number.isNaN(Date.parse(time))) {
      throw invalidAnswer(
        `${name} of a task must be an RFC 3339 time, not ${JSON.stringify(time)}`,
      );
    }
  }
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

/** Throws `invalid_answer` when the protocol does not allow this change of state. */
export function assertFollows(known: TaskState, next: TaskState): void {
  if (known.createdAt !== next.createdAt) {
    throw invalidAnswer(
      `The task's createdAt changed from ${known.createdAt} to ${next.createdAt}`,
    );
  }
  if (isTerminal(known.status) && known.status !== next.status) {
    throw invalidAnswer(`The task changed from the final status ${known.status} to ${next.status}`);
  }
}
