import { validateCreateTaskResult as judgeCoreTask } from '../../generated/2025-11-25/validators.js';
import { validateCreateTaskResult as judgeExtTask } from '../../generated/ext-tasks/validators.js';
import type { Dialect, JsonObject, TaskStatus } from '../tasks/index.js';
import { isTerminal } from '../tasks/index.js';
import { DIALECT_REVISIONS } from '../wire/revisions.js';
import { invalidAnswer } from './errors.js';
import { isId, LONGEST_ID } from './reference.js';
import type { TaskState, ToolResult } from './types.js';

/** The task in the answer that created it. Throws `invalid_answer`. */
export function createdTask(dialect: Dialect, answer: JsonObject): TaskState {
  const judged = dialect === 'core' ? judgeCoreTask(answer) : judgeExtTask(answer);
  if (!judged.ok) {
    const problems = judged.errors.map(({ pointer, message }) => `${pointer}: ${message}`);
    throw invalidAnswer(`Not a task: ${problems.join('; ')}`);
  }
  return stateOf(dialect, (dialect === 'core' ? answer['task'] : answer) as JsonObject);
}

/** The task in an answer to `tasks/get`. Throws `invalid_answer` for another one's as well. */
export function gottenTask(dialect: Dialect, taskId: string, answer: JsonObject): TaskState {
  const problem = DIALECT_REVISIONS[dialect].checkResult('tasks/get', complete(dialect, answer));
  if (problem !== undefined) throw invalidAnswer(`Not a task: ${problem.message}`);
  const state = stateOf(dialect, answer);
  if (state.taskId !== taskId) throw invalidAnswer(`Asked for ${taskId}, got ${state.taskId}`);
  return state;
}

/** A tool's result. Throws `invalid_answer`. */
export function toolResult(dialect: Dialect, answer: JsonObject): ToolResult {
  const problem = DIALECT_REVISIONS[dialect].checkToolResult(complete(dialect, answer));
  if (problem !== undefined) throw invalidAnswer(`Not a tool's result: ${problem.message}`);
  if ('task' in answer) throw invalidAnswer('A task came in the place of a result');
  const { resultType: _, ...result } = answer;
  return result as ToolResult;
}

/** The SDK takes off `resultType` once it has looked at it. */
function complete(dialect: Dialect, answer: JsonObject): JsonObject {
  return dialect === 'ext' ? { resultType: 'complete', ...answer } : answer;
}

/** The fields of a task whose shape has been checked. Throws `invalid_answer` for what shape does not tell. */
export function stateOf(dialect: Dialect, task: JsonObject): TaskState {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt } = task;
  const [ttl, pollInterval] =
    dialect === 'core'
      ? [task['ttl'], task['pollInterval']]
      : [task['ttlMs'], task['pollIntervalMs']];
  if (!isId(taskId)) throw invalidAnswer(`A task's id must have 1 to ${LONGEST_ID} characters`);
  for (const [name, time] of Object.entries({ createdAt, lastUpdatedAt })) {
    if (Number.isNaN(Date.parse(String(time)))) {
      throw invalidAnswer(`${name} of a task must be a date and time, not ${JSON.stringify(time)}`);
    }
  }
  return {
    dialect,
    taskId,
    status: status as TaskStatus,
    ...(typeof statusMessage === 'string' && { statusMessage }),
    createdAt: String(createdAt),
    lastUpdatedAt: String(lastUpdatedAt),
    ttl: typeof ttl === 'number' ? ttl : null,
    ...(typeof pollInterval === 'number' && { pollInterval }),
  };
}

/** Whether the second says anything that the first did not. */
export function isNews(known: TaskState, next: TaskState): boolean {
  return (
    known.status !== next.status ||
    known.statusMessage !== next.statusMessage ||
    known.lastUpdatedAt !== next.lastUpdatedAt ||
    known.ttl !== next.ttl ||
    known.pollInterval !== next.pollInterval
  );
}

/** Throws `invalid_answer` when a task cannot have come from one state to the other. */
export function assertFollows(known: TaskState, next: TaskState): void {
  if (known.createdAt !== next.createdAt) {
    throw invalidAnswer(`createdAt changed from ${known.createdAt} to ${next.createdAt}`);
  }
  if (isTerminal(known.status) && known.status !== next.status) {
    throw invalidAnswer(`The task went from ${known.status} to ${next.status}`);
  }
}
