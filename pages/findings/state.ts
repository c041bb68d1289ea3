import { META_KEYS } from '../../runtime/protocol.js';
import { asksClient } from '../../runtime/rules/questions.js';
import { at, entriesAt, isRecord, textAt } from '../../contracts/validate/index.js';
import type { Checked } from '../../contracts/validate/index.js';

/** What a message says about a task, in either dialect. */
export interface TaskFact {
  readonly taskId: string;
  readonly status?: string | undefined;
  readonly dialect?: 'core' | 'ext' | undefined;
  /** The time that the task itself gives, for where the recording has none. */
  readonly updated?: string | undefined;
  readonly created?: string | undefined;
}

const EMPTY: readonly TaskFact[] = [];
/** Of one answer to `tasks/list`. */
const MOST_LISTED = 100;

/** The tasks that a message is about; the first one is its own. */
export function taskFacts({ value, kind, method = '' }: Checked): readonly TaskFact[] {
  if (!isRecord(value)) return EMPTY;
  const params = value['params'];
  if (kind === 'request' || kind === 'notification') {
    if (method === 'notifications/tasks/status') return stateIn(params, 'core');
    if (method === 'notifications/tasks') return stateIn(params, 'ext');
    return named(textAt(params, 'taskId'), method) ?? related(params);
  }
  const result = value['result'];
  if (result === undefined) return EMPTY;
  const listed = at(result, 'tasks');
  if (method === 'tasks/list' && Array.isArray(listed)) {
    return listed.slice(0, MOST_LISTED).flatMap((each) => stateIn(each, 'core'));
  }
  if (textAt(result, 'resultType') === 'task') return stateIn(result, 'ext');
  if (isRecord(at(result, 'task'))) return stateIn(at(result, 'task'), 'core');
  if (method.startsWith('tasks/')) {
    const state = stateIn(result, at(result, 'resultType') === undefined ? 'core' : 'ext');
    if (state.length > 0) return state;
  }
  return related(result);
}

function stateIn(task: unknown, dialect: TaskFact['dialect']): readonly TaskFact[] {
  const taskId = textAt(task, 'taskId');
  if (taskId === undefined) return EMPTY;
  const [updated, created] = [textAt(task, 'lastUpdatedAt'), textAt(task, 'createdAt')];
  return [{ taskId, status: textAt(task, 'status'), dialect, updated, created }];
}

function named(taskId: string | undefined, method: string): readonly TaskFact[] | undefined {
  return taskId !== undefined && method.startsWith('tasks/') ? [{ taskId }] : undefined;
}

function related(part: unknown): readonly TaskFact[] {
  const taskId = textAt(part, '_meta', META_KEYS.relatedTask, 'taskId');
  return taskId === undefined ? EMPTY : [{ taskId, dialect: 'core' }];
}

/** Whether a message asks the user or the model of the other side, or contains the answer. */
export function isQuestion({ value, method = '' }: Checked): boolean {
  if (asksClient(method)) return true;
  return [
    ['result', 'inputRequests'],
    ['params', 'inputRequests'],
    ['params', 'inputResponses'],
  ].some((path) => entriesAt(value, ...path).length > 0);
}

/** The progress in a notification, from 0 to 1; `undefined` where the total is not known. */
export function progressIn({ value, method }: Checked): number | undefined {
  if (method !== 'notifications/progress') return undefined;
  const [progress, total] = [at(value, 'params', 'progress'), at(value, 'params', 'total')];
  if (typeof progress !== 'number' || typeof total !== 'number' || !(total > 0)) return undefined;
  return Math.min(1, Math.max(0, progress / total));
}
