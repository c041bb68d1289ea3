import { quote } from '../../json-schema/text.js';
import { META_KEYS } from '../../runtime/protocol.js';
import { RESULT_TYPES } from '../../runtime/rules/messages.js';
import { at, entriesAt, isRecord, textAt } from './access.js';
import { Capabilities, checkInputRequired } from './capabilities.js';
import type { Party } from './direction.js';
import { createdTask, isId } from './exchanges.js';
import type { Exchanges, OpenRequest } from './exchanges.js';
import type { Breach } from './finding.js';
import { Progress } from './progress.js';
import { requestInfo } from './protocol.js';
import type { Dialect, SchemaCheck } from './protocol.js';
import type { Path } from './access.js';
import { expectedResult } from './results.js';
import { subjectsOf } from './subjects/index.js';
import type { AnsweredRequest, Call, Conversation, Subject } from './subjects/subject.js';
import { Subscriptions } from './subscriptions.js';
import { TaskRules } from './task-rules.js';
import { TaskBook } from './tasks.js';

/** A value in a message that has to match a definition. */
export interface Part {
  readonly key: Path;
  readonly definition: string;
  readonly value: unknown;
}

/** The rule violations of a message, and its parts that need a check. */
export interface Ruling {
  readonly breaches: readonly Breach[];
  readonly parts: readonly Part[];
  /** For answers: whether `parts` has the definition of the result. */
  readonly hasResult?: boolean;
}

const TOOL_RESULT = 'CallToolResult';

/** Checks a conversation by the rules that a schema cannot state. */
export class Rules implements Conversation {
  readonly tasks = new TaskBook();
  readonly progress = new Progress();
  /** Whether the recording begins with the session. */
  isWhole = false;
  readonly capabilities = new Capabilities();
  #subscriptions = new Subscriptions();
  #taskRules = new TaskRules(this.tasks, this.capabilities);
  readonly #onRequest: readonly Subject[];
  readonly #onNotification: readonly Subject[];
  readonly #onAnswer: readonly Subject[];

  constructor(
    readonly exchanges: Exchanges,
    readonly readSchema: SchemaCheck | undefined,
  ) {
    const subjects = subjectsOf(this);
    this.#onRequest = subjects.filter((each) => 'request' in each);
    this.#onNotification = subjects.filter((each) => 'notification' in each);
    this.#onAnswer = subjects.filter((each) => 'answer' in each);
  }

  request(call: Call, request: OpenRequest): Ruling {
    const { method, params, dialect, from } = call;
    this.capabilities.call(method, params);
    if (method === 'subscriptions/listen') this.#subscriptions.listen(request.id, params);
    const breaches = [
      ...this.progress.give(request),
      ...this.#taskRules.request(request, params, dialect),
      ...(from ? this.capabilities.check(method, 'request', from, params, dialect) : []),
      ...(dialect.stateless ? checkClientInfo(params) : []),
    ];
    for (const subject of this.#onRequest) add(breaches, subject.request?.(call, request));
    return { breaches, parts: this.#requestParts(call, request) };
  }

  notification(call: Call): Ruling {
    const { method, params, from, dialect, before } = call;
    const breaches: Breach[] = [];
    if (from) {
      breaches.push(...this.capabilities.check(method, 'notification', from, params, dialect));
      breaches.push(...this.#taskRules.notification(method, params, from, dialect, before));
      if (method === 'notifications/progress') {
        breaches.push(...this.progress.check(params, from, this.isWhole));
      } else if (method === 'notifications/cancelled') {
        breaches.push(...this.#checkCancelled(params, from, dialect));
      }
    }
    if (dialect.stateless && from === 'server') {
      breaches.push(...this.#subscriptions.notification(method, params));
    }
    for (const subject of this.#onNotification) add(breaches, subject.notification?.(call));
    return { breaches, parts: notificationParts(call) };
  }

  answer(answer: AnsweredRequest): Ruling {
    const { message, result, request, dialect, before } = answer;
    const taskId = createdTask(result);
    const expected = result === undefined ? undefined : this.#expected(request, result, dialect);
    const breaches: Breach[] = [
      ...(expected?.breaches ?? []),
      ...this.#taskRules.answer(request, message, dialect, before),
    ];
    if (expected?.definition === RESULT_TYPES.input_required) {
      breaches.push(...checkInputRequired(result, request));
    }
    if (request.method === 'subscriptions/listen') {
      breaches.push(...this.#subscriptions.end(request.id, result));
    }
    this.capabilities.answer(request.method, result);
    this.progress.end(request, this.tasks.find(taskId, [request.sender]));
    for (const subject of this.#onAnswer) add(breaches, subject.answer?.(answer));
    if (result === undefined) return { breaches, parts: errorParts(message, dialect) };
    const parts = resultParts(request, result, expected?.definition, dialect);
    return { breaches, parts, hasResult: true };
  }

  /** The names of answers to a task that has not asked for them. */
  unaskedIn(params: unknown): string[] {
    const taskId = textAt(params, 'taskId');
    if (taskId === undefined) return [];
    const inputs = this.tasks.find(taskId, ['client', 'unknown'])?.inputs;
    const names = entriesAt(params, 'inputResponses').map(([name]) => name);
    return names.filter((name) => inputs?.has(name) !== true);
  }

  #expected(
    request: OpenRequest,
    result: unknown,
    dialect: Dialect,
  ): ReturnType<typeof expectedResult> {
    return expectedResult(request, result, dialect, this.capabilities);
  }

  #requestParts({ method, params, dialect }: Call, request: OpenRequest): Part[] {
    if (dialect.tasks !== 'ext') return [];
    if (method === 'subscriptions/listen')
      return [filterPart(params, 'TaskSubscriptionNotifications')];
    if (!method.startsWith('tasks/')) return [];
    const parts: Part[] = [{ key: ['params'], definition: 'RequestParams', value: params }];
    const task = this.tasks.find(request.taskId, [request.sender]);
    for (const [name, value] of task ? entriesAt(params, 'inputResponses') : []) {
      const asked = task?.inputs.get(name)?.method ?? '';
      const [definition] = requestInfo(asked, dialect)?.results ?? [];
      if (definition) parts.push({ key: ['params', 'inputResponses', name], definition, value });
    }
    return parts;
  }

  /** Without sessions, the server ends subscriptions, which the client requested. */
  #checkServerCancelled(id: string | number, say: string): Breach[] {
    const request = this.exchanges.find(id, ['client', 'unknown']);
    if (!request || request.method === 'subscriptions/listen') return [];
    const message = `The server cancels the request ${say} of the client: it may only end subscriptions/listen.`;
    return [{ code: 'server-cancellation', message, key: ['params', 'requestId'] }];
  }

  #checkCancelled(params: unknown, from: Party, dialect: Dialect): Breach[] {
    const id = at(params, 'requestId');
    if (!isId(id)) return [];
    const key = ['params', 'requestId'];
    const say = typeof id === 'string' ? quote(id) : String(id);
    if (dialect.stateless && from === 'server') return this.#checkServerCancelled(id, say);
    const request = this.exchanges.find(id, [from, 'unknown']);
    if (!request) {
      if (!this.isWhole || this.exchanges.isForgetful) return [];
      const message = `No request of the ${from} has the id ${say}.`;
      return [{ code: 'bad-cancellation', message, key }];
    }
    const becameTask = 'becameTask' in request && request.becameTask;
    if (!becameTask && request.method !== 'initialize') return [];
    const message = becameTask
      ? `The request ${say} became a task: cancel it by tasks/cancel.`
      : 'The client cannot cancel initialize.';
    return [{ code: 'bad-cancellation', message, key }];
  }
}

function add(breaches: Breach[], found: readonly Breach[] | undefined): void {
  if (found !== undefined && found.length > 0) breaches.push(...found);
}

function checkClientInfo(params: unknown): Breach[] {
  const meta = at(params, '_meta');
  if (!isRecord(meta) || Object.hasOwn(meta, META_KEYS.clientInfo)) return [];
  const message = `The client gives no name and version: add ${META_KEYS.clientInfo}.`;
  return [{ code: 'no-client-info', message, key: ['params', '_meta', META_KEYS.clientInfo] }];
}

function notificationParts({ method, params, dialect }: Call): Part[] {
  if (dialect.tasks !== 'ext') return [];
  if (method === 'notifications/subscriptions/acknowledged') {
    return [filterPart(params, 'TaskSubscriptionAcknowledgedNotifications')];
  }
  if (method !== 'notifications/tasks' || at(params, 'status') !== 'completed') return [];
  return [{ key: ['params', 'result'], definition: TOOL_RESULT, value: at(params, 'result') }];
}

function filterPart(params: unknown, definition: string): Part {
  return { key: ['params', 'notifications'], definition, value: at(params, 'notifications') };
}

function resultParts(
  request: OpenRequest,
  result: unknown,
  definition: string | undefined,
  dialect: Dialect,
): Part[] {
  const parts: Part[] = definition ? [{ key: ['result'], definition, value: result }] : [];
  const isCompleted = request.method === 'tasks/get' && at(result, 'status') === 'completed';
  if (dialect.tasks !== 'ext' || !isCompleted) return parts;
  const value = at(result, 'result');
  return [...parts, { key: ['result', 'result'], definition: TOOL_RESULT, value }];
}

/** The protocol's error codes have definitions of their data. */
function errorParts(message: unknown, { validators, extensions }: Dialect): Part[] {
  const code = at(message, 'error', 'code');
  for (const { tables } of [validators, ...extensions]) {
    const found = Object.entries(tables.errors).find((entry) => entry[1] === code);
    if (!found || found[1] <= -32_600) continue;
    return [{ key: [], definition: `${found[0]}Error`, value: message }];
  }
  return [];
}
