import { quote } from '../../json-schema/text.js';
import { ERROR_CODES, META_KEYS } from '../../runtime/protocol.js';
import { at, textAt, type Path, isRecord } from './access.js';
import type { Capabilities } from './capabilities.js';
import { BoundedMap } from './bounded.js';
import { other, type Party } from './direction.js';
import { BOUNDS, createdTask, partyOf, type OpenRequest } from './exchanges.js';
import { type Breach, cut } from './finding.js';
import type { Dialect } from './protocol.js';
import { wrongType } from './results.js';
import {
  checkTask,
  observe,
  observeInputs,
  refuseResponses,
  takeResponses,
  type KnownTask,
  type Seen,
  type TaskBook,
} from './tasks.js';
import { fingerprint } from './fingerprint.js';

/** Fields that a `CreateTaskResult` of 2026-07-28 must not have. */
const EXCESS = ['task', 'content', 'result', 'error', 'inputRequests', 'requestState'] as const;
const NO_RELATED_TASK: ReadonlySet<string> = new Set(['tasks/get', 'tasks/list', 'tasks/cancel']);
/** The request of a task that was created before the recording. */
const UNRECORDED = { method: undefined, tool: undefined };
const RELATED: Path = ['_meta', META_KEYS.relatedTask];

/** Checks the messages of tasks in both dialects, beyond schemas. */
export class TaskRules {
  /** The `taskSupport` of tools in 2025-11-25, by name. */
  #support = new BoundedMap<string>(BOUNDS);

  constructor(
    readonly tasks: TaskBook,
    readonly capabilities: Capabilities,
  ) {}

  request(request: OpenRequest, params: unknown, dialect: Dialect): Breach[] {
    if (dialect.tasks === 'core') return this.#checkSupport(request);
    if (dialect.tasks !== 'ext') return [];
    const breaches: Breach[] = [];
    if (needsExtension(request, params) && !request.declares.tasks) {
      const message = `${quote(request.method)} needs the tasks extension, which the request does not declare in its _meta.`;
      const key = ['params', '_meta', META_KEYS.clientCapabilities];
      breaches.push({ code: 'undeclared-capability', message, key });
    }
    const task = this.tasks.find(request.taskId, [request.sender, 'unknown']);
    if (!task || request.method !== 'tasks/update') return breaches;
    return [...breaches, ...takeResponses(task, params, request.at)];
  }

  notification(
    method: string,
    params: unknown,
    from: Party,
    dialect: Dialect,
    before: number,
  ): Breach[] {
    const core = dialect.tasks === 'core' && method === 'notifications/tasks/status';
    if (!core && !(dialect.tasks === 'ext' && method === 'notifications/tasks')) return [];
    const id = at(params, '_meta', META_KEYS.subscriptionId);
    const seen = { at: before, channel: `${from} ${typeof id} ${String(id)}` };
    const task = this.#taskOf(params, other(from));
    const breaches = this.#state(task, params, seen, core ? 'core' : 'ext', ['params']);
    if (core && at(params, ...RELATED) !== undefined) {
      breaches.push(needless('notifications/tasks/status', 'params'));
    }
    return breaches;
  }

  /** Checks an answer; `task` is the task of its request. */
  answer(request: OpenRequest, answer: unknown, dialect: Dialect, before: number): Breach[] {
    const result = at(answer, 'result');
    if (dialect.tasks === undefined) return [];
    if (result === undefined) {
      this.#takeRefusal(request);
      return [];
    }
    if (request.method === 'tools/list') this.#learnTools(result);
    const seen = { at: before, asked: request.at, channel: 'answers' };
    return dialect.tasks === 'core'
      ? this.#coreAnswer(request, result, seen)
      : this.#extAnswer(request, result, seen);
  }

  #takeRefusal(request: OpenRequest): void {
    const task = this.tasks.find(request.taskId, [request.sender]);
    if (task && request.method === 'tasks/update') refuseResponses(task, request.at);
  }

  #coreAnswer(request: OpenRequest, result: unknown, seen: Seen): Breach[] {
    const { method, sender } = request;
    const breaches: Breach[] = this.#checkRelated(request, result);
    const created = createdTask(result);
    if (method === 'tasks/get' || method === 'tasks/cancel') {
      breaches.push(...wrongTask(request, textAt(result, 'taskId'), ['result', 'taskId']));
      if (method === 'tasks/cancel') breaches.push(...this.#checkCancel(request, result));
      const task = this.#taskOf(result, sender);
      breaches.push(...this.#state(task, result, seen, 'core', ['result']));
    } else if (method === 'tasks/list') {
      const listed = at(result, 'tasks');
      if (!Array.isArray(listed)) return breaches;
      listed.forEach((each: unknown, index) => {
        const key = ['result', 'tasks', index];
        breaches.push(...this.#state(this.#taskOf(each, sender), each, seen, 'core', key));
      });
    } else if (method === 'tasks/result') {
      breaches.push(...this.#takeResult(request, result, seen));
    } else {
      breaches.push(...this.#checkRefusal(request, created !== undefined));
      if (created !== undefined) breaches.push(...this.#create(request, result, created));
    }
    return breaches;
  }

  #create(request: OpenRequest, result: unknown, taskId: string): Breach[] {
    const state = at(result, 'task');
    const key = ['result', 'task'];
    const breaches = [
      ...this.#begin(request, taskId, state, key),
      ...checkTask(state, 'core', key),
    ];
    const status = at(state, 'status');
    if (typeof status === 'string' && status !== 'working') {
      const message = `A new task is ${quote(status)}: it starts in "working".`;
      breaches.push({ code: 'not-working', message, key: [...key, 'status'] });
    }
    return breaches;
  }

  #begin(request: OpenRequest, taskId: string, state: unknown, key: Path): Breach[] {
    const { task, earlier } = this.tasks.create(request.sender, taskId, request);
    if (earlier?.method === undefined) return checkCreation(task, state, key);
    const message = `Another task has the id ${quote(taskId)}.`;
    return [{ code: 'reused-task-id', message, key: [...key, 'taskId'] }];
  }

  #extAnswer(request: OpenRequest, result: unknown, seen: Seen): Breach[] {
    const breaches: Breach[] = [];
    const { method } = request;
    if (at(result, 'resultType') === 'task') {
      const taskId = textAt(result, 'taskId');
      if (method !== 'tools/call' || taskId === undefined) return breaches;
      breaches.push(...this.#begin(request, taskId, result, ['result']));
      breaches.push(...checkTask(result, 'ext', ['result']));
      for (const name of EXCESS) {
        if (at(result, name) === undefined) continue;
        const message = `The answer that creates a task has no ${name}: remove it.`;
        breaches.push({ code: 'excess-task-field', message, key: ['result', name] });
      }
      return breaches;
    }
    const isTasks = method.startsWith('tasks/');
    if (isTasks && !request.declares.tasks) {
      const message = `${quote(method)} does not declare the tasks extension in its _meta: refuse it with the error ${String(ERROR_CODES.MissingRequiredClientCapability)}.`;
      breaches.push({ code: 'missing-refusal', message, key: ['result'] });
    }
    if (method !== 'tasks/get') return breaches;
    breaches.push(...wrongTask(request, textAt(result, 'taskId'), ['result', 'taskId']));
    const task = this.#taskOf(result, request.sender);
    return [...breaches, ...this.#state(task, result, seen, 'ext', ['result'])];
  }

  /** Checks a task object. */
  #state(
    task: KnownTask | undefined,
    state: unknown,
    seen: Seen,
    dialect: 'core' | 'ext',
    key: Path,
  ): Breach[] {
    const breaches = checkTask(state, dialect, key);
    if (dialect === 'ext') {
      const type = at(state, 'result', 'resultType');
      const isOther = at(state, 'status') === 'completed' && type !== 'complete';
      if (isOther && typeof type === 'string') {
        breaches.push(wrongType(type, ['complete'], [...key.map(String), 'result']));
      }
    }
    if (!task) return breaches;
    breaches.push(...observe(task, state, seen, key), ...checkCreation(task, state, key));
    if (dialect === 'ext')
      breaches.push(...checkResult(task, at(state, 'result'), [...key, 'result']));
    if (dialect === 'ext') breaches.push(...observeInputs(task, state, seen, key));
    return breaches;
  }

  /** The task of an object. An unknown task was created before the recording. */
  #taskOf(state: unknown, owner: OpenRequest['sender']): KnownTask | undefined {
    const taskId = textAt(state, 'taskId');
    if (taskId === undefined) return undefined;
    const owners = owner === 'unknown' ? (['client', 'server', owner] as const) : [owner];
    const known = this.tasks.find(taskId, owners);
    return known ?? this.tasks.create(owner, taskId, UNRECORDED).task;
  }

  #checkCancel(request: OpenRequest, result: unknown): Breach[] {
    const task = this.tasks.find(request.taskId, [request.sender]);
    if (task?.endedAt !== undefined && task.endedAt < request.at) {
      const message = `The task ${quote(task.taskId)} ended before it was to be cancelled: answer with the error ${String(ERROR_CODES.InvalidParams)}.`;
      return [{ code: 'cancelled-terminal', message, key: ['result'] }];
    }
    const status = at(result, 'status');
    if (typeof status !== 'string' || status === 'cancelled') return [];
    const message = `A task that was cancelled is ${quote(status)}: its status is "cancelled" before the answer is sent.`;
    return [{ code: 'not-cancelled', message, key: ['result', 'status'] }];
  }

  /** Notes the end of a task, because `tasks/result` was answered. The status stays unknown. */
  #takeResult(request: OpenRequest, result: unknown, seen: Seen): Breach[] {
    if (request.taskId === undefined) return [];
    const task = this.#taskOf({ taskId: request.taskId }, request.sender);
    if (!task) return [];
    task.endedAt ??= seen.at;
    const changed = checkResult(task, result, ['result']);
    if (at(result, 'isError') !== true || task.status !== 'completed') return changed;
    const message = `The tool result of the task ${quote(task.taskId)} is an error: its status is "failed", not "completed".`;
    return [...changed, { code: 'wrong-status', message, key: ['result', 'isError'] }];
  }

  #checkRelated(request: OpenRequest, result: unknown): Breach[] {
    const { method } = request;
    const related = at(result, ...RELATED);
    if (NO_RELATED_TASK.has(method)) {
      return related === undefined ? [] : [needless(`the answer to ${method}`, 'result')];
    }
    const wanted = method === 'tasks/result' ? request.taskId : request.relatedTask;
    if (wanted === undefined) return [];
    const key = ['result', ...RELATED];
    const taskId = at(related, 'taskId');
    if (typeof taskId === 'string')
      return wrongTask({ ...request, taskId: wanted }, taskId, [...key, 'taskId']);
    const message = `This belongs to the task ${quote(wanted)}: name it under ${META_KEYS.relatedTask} in _meta.`;
    const severity = method === 'tasks/result' ? 'error' : 'warning';
    return [{ code: 'no-related-task', message, key, severity }];
  }

  #learnTools(result: unknown): void {
    const tools = at(result, 'tools');
    if (!Array.isArray(tools)) return;
    for (const tool of tools as unknown[]) {
      const name = textAt(tool, 'name');
      if (name === undefined) continue;
      const support = textAt(tool, 'execution', 'taskSupport') ?? 'forbidden';
      this.#support.set(name, support, [support]);
    }
  }

  /** `undefined` when it is unknown, or when the server does not declare tasks for calls. */
  #supportOf({ method, tool, sender }: OpenRequest): string | undefined {
    const party = partyOf(sender);
    if (method !== 'tools/call' || tool === undefined || !party) return undefined;
    if (this.capabilities.takesTasks(method, party) !== true) return undefined;
    return this.#support.get(tool);
  }

  #checkSupport(request: OpenRequest): Breach[] {
    const support = this.#supportOf(request);
    const name = quote(request.tool ?? '');
    if (support === 'required' && !request.augmented) {
      const message = `The tool ${name} requires a task: add params.task.`;
      return [{ code: 'task-support', message, key: ['params', 'task'] }];
    }
    if (support !== 'forbidden' || !request.augmented) return [];
    const message = `The tool ${name} does not run as a task: remove params.task.`;
    return [{ code: 'task-support', message, key: ['params', 'task'] }];
  }

  #checkRefusal(request: OpenRequest, isTask: boolean): Breach[] {
    const support = this.#supportOf(request);
    const wasDue = support === 'required' ? !request.augmented : support === 'forbidden' && isTask;
    if (!wasDue) return [];
    const message = `The call does not follow the taskSupport of the tool ${quote(request.tool ?? '')}: refuse it with the error ${String(ERROR_CODES.MethodNotFound)}.`;
    const severity = support === 'required' ? 'error' : 'warning';
    return [{ code: 'missing-refusal', message, key: ['result'], severity }];
  }
}

function needsExtension({ method }: OpenRequest, params: unknown): boolean {
  if (method === 'subscriptions/listen')
    return at(params, 'notifications', 'taskIds') !== undefined;
  return method.startsWith('tasks/');
}

function wrongTask({ taskId }: OpenRequest, found: string | undefined, key: Path): Breach[] {
  if (taskId === undefined || found === undefined || found === taskId) return [];
  const message = `This is about the task ${quote(found)}, but the request names ${quote(taskId)}.`;
  return [{ code: 'wrong-task', message, key }];
}

function needless(what: string, part: 'params' | 'result'): Breach {
  const message = `${what} names its task itself: remove ${META_KEYS.relatedTask} from _meta.`;
  return { code: 'needless-related-task', message, key: [part, ...RELATED] };
}

/** What stays the same in all messages about a task. */

/** Compares `createdAt` with that of the messages before. */
function checkCreation(task: KnownTask, state: unknown, key: Path): Breach[] {
  const created = textAt(state, 'createdAt');
  const time = Date.parse(created ?? '');
  if (Number.isNaN(time)) return [];
  task.createdAt ??= time;
  if (task.createdAt === time) return [];
  const message = `The task ${quote(cut(task.taskId))} was created at another time before.`;
  return [{ code: 'changed-creation', message, key: [...key, 'createdAt'] }];
}

/** Compares the result with those before. Its `_meta` may differ. */
function checkResult(task: KnownTask, result: unknown, key: Path): Breach[] {
  if (!isRecord(result)) return [];
  const { _meta, ...rest } = result;
  void _meta;
  const print = fingerprint(rest);
  task.result ??= print;
  if (task.result === print) return [];
  const message = `The task ${quote(cut(task.taskId))} had another result before.`;
  return [{ code: 'changed-result', message, key }];
}
