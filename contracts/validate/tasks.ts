import { DIALECTS, isTerminal, TASK_STATUSES } from '../../runtime/rules/tasks.js';
import type { Dialect } from '../../runtime/rules/tasks.js';
import { quote } from '../../json-schema/text.js';
import { at, entriesAt, textAt } from './access.js';
import { BoundedMap } from './bounded.js';
import type { Party } from './direction.js';
import { BOUNDS, keyOf } from './exchanges.js';
import type { Sender } from './exchanges.js';
import type { Breach } from './finding.js';
import { fingerprint } from './fingerprint.js';
import type { Path } from './access.js';

/** An input request of a task. */
interface Input {
  readonly print: number;
  readonly method: string;
  /** The number of messages before the first one without it. */
  goneAt: number | undefined;
  /** The number of messages before the client's answer to it. */
  answeredAt: number | undefined;
}

/** The state of a task. */
export interface KnownTask {
  readonly taskId: string;
  /** The side that requested it. */
  readonly owner: Sender;
  /** The method of the request that became the task, if it was recorded. */
  readonly method: string | undefined;
  /** The tool that it runs, if its call was recorded. */
  readonly tool: string | undefined;
  /** `createdAt`, in milliseconds. */
  createdAt: number | undefined;
  /** The hash of its result. */
  result: number | undefined;
  /** The number of messages before the first one with a final status. */
  endedAt: number | undefined;
  /** The final status, if a message contained it. */
  status: string | undefined;
  updated: number;
  channel: string;
  readonly inputs: Map<string, Input>;
}

/** The time and the channel of a message with a task. */
export interface Seen {
  /** The number of earlier messages. */
  readonly at: number;
  /** The number of messages before the answered request; absent for notifications. */
  readonly asked?: number;
  /** Messages of one channel are recorded in the order in which they were sent. */
  readonly channel: string;
}

const STATUSES: readonly string[] = TASK_STATUSES;
/** Of one task. */
const MOST_INPUTS = 200;

/** The tasks of a conversation, by the side that requested them. Beyond the limit the oldest are dropped. */
export class TaskBook {
  #tasks = new BoundedMap<KnownTask>(BOUNDS);

  /** Also returns the earlier state of the task. */
  create(
    owner: Sender,
    taskId: string,
    { method, tool }: Pick<KnownTask, 'method' | 'tool'>,
  ): { readonly task: KnownTask; readonly earlier: KnownTask | undefined } {
    const key = keyOf(owner, taskId);
    const earlier = this.#tasks.get(key);
    const task: KnownTask = {
      taskId,
      owner,
      method,
      tool,
      createdAt: earlier?.createdAt,
      result: earlier?.result,
      endedAt: earlier?.endedAt,
      status: earlier?.status,
      updated: earlier?.updated ?? Number.NaN,
      channel: earlier?.channel ?? '',
      inputs: earlier?.inputs ?? new Map<string, Input>(),
    };
    this.#tasks.set(key, task, [taskId, method ?? '', tool ?? '']);
    return { task, earlier };
  }

  find(taskId: unknown, owners: readonly Sender[]): KnownTask | undefined {
    if (typeof taskId !== 'string') return undefined;
    for (const owner of owners) {
      const task = this.#tasks.get(keyOf(owner, taskId));
      if (task) return task;
    }
    return undefined;
  }

  /** The side that requested the task, if it is unique. */
  ownerOf(taskId: unknown): Party | undefined {
    const client = this.find(taskId, ['client']);
    const server = this.find(taskId, ['server']);
    return client && !server ? 'client' : server && !client ? 'server' : undefined;
  }
}

/** Notes a task's status from a message. `key` is its path in the message. */
export function observe(task: KnownTask, state: unknown, seen: Seen, key: Path): Breach[] {
  const status = textAt(state, 'status');
  if (status === undefined || !STATUSES.includes(status)) return [];
  const updated = Date.parse(textAt(state, 'lastUpdatedAt') ?? '');
  if (task.endedAt === undefined) {
    if (isTerminal(status)) {
      Object.assign(task, { endedAt: seen.at, status, updated, channel: seen.channel });
    }
    return [];
  }
  if (status === task.status || !isAfterEnd(task, updated, seen)) return [];
  if (task.status === undefined && isTerminal(status)) {
    task.status = status;
    return [];
  }
  const was = task.status === undefined ? 'its result was sent' : `it was ${quote(task.status)}`;
  const message = `The task ${quote(task.taskId)} is ${quote(status)} after ${was}: a final status does not change.`;
  return [{ code: 'bad-transition', message, key: [...key, 'status'] }];
}

/** Messages of two channels may be recorded in another order than they were sent. */
function isAfterEnd(task: KnownTask, updated: number, { asked, channel }: Seen): boolean {
  if (asked !== undefined) return asked > (task.endedAt ?? 0);
  return updated > task.updated || (updated === task.updated && channel === task.channel);
}

/** Notes the input requests in a message. */
export function observeInputs(task: KnownTask, state: unknown, seen: Seen, key: Path): Breach[] {
  const asked = seen.asked;
  const breaches: Breach[] = [];
  const outstanding = new Map(entriesAt(state, 'inputRequests'));
  for (const [name, request] of outstanding) {
    const print = fingerprint(request);
    const known = task.inputs.get(name);
    const cameBack = known?.goneAt !== undefined && asked !== undefined && asked > known.goneAt;
    if (known && (known.print !== print || cameBack)) {
      const message = `The key ${quote(name)} of inputRequests was used for another request of the task before.`;
      breaches.push({ code: 'reused-input-key', message, key: [...key, 'inputRequests', name] });
    } else if (!known && task.inputs.size < MOST_INPUTS) {
      const method = textAt(request, 'method') ?? '';
      task.inputs.set(name, { print, method, goneAt: undefined, answeredAt: undefined });
    }
  }
  if (asked === undefined) return breaches;
  for (const [name, input] of task.inputs) {
    if (!outstanding.has(name)) input.goneAt ??= seen.at;
  }
  return breaches;
}

/** Notes the client's answers to input requests. */
export function takeResponses(task: KnownTask, params: unknown, before: number): Breach[] {
  return entriesAt(params, 'inputResponses').flatMap(([name]): Breach[] => {
    const input = task.inputs.get(name);
    if (!input) return [];
    const isRepeated = input.answeredAt !== undefined;
    input.answeredAt ??= before;
    if (!isRepeated) return [];
    const message = `The client answered the key ${quote(name)} of inputRequests before.`;
    const key = ['params', 'inputResponses', name];
    return [{ code: 'repeated-input-response', message, key }];
  });
}

/** Removes the answers of a request that the server refused. */
export function refuseResponses(task: KnownTask, before: number): void {
  for (const input of task.inputs.values()) {
    if (input.answeredAt === before) input.answeredAt = undefined;
  }
}

const RFC3339 =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** Checks a task object beyond its schema. */
export function checkTask(task: unknown, dialect: Dialect, key: Path): Breach[] {
  const breaches: Breach[] = [];
  for (const name of ['createdAt', 'lastUpdatedAt']) {
    const time = textAt(task, name);
    if (time === undefined || RFC3339.test(time)) continue;
    const message = `${name} is ${quote(time)}: give a date and time such as "2026-07-28T12:00:00Z".`;
    breaches.push({ code: 'bad-timestamp', message, key: [...key, name] });
  }
  const foreign = DIALECTS[dialect === 'core' ? 'ext' : 'core'].fields;
  for (const [field, own] of Object.entries(DIALECTS[dialect].fields)) {
    const name = foreign[field as keyof typeof foreign];
    if (at(task, name) === undefined) continue;
    const message = `${name} belongs to the other dialect of tasks: use ${own}.`;
    breaches.push({ code: 'foreign-field', message, key: [...key, name] });
  }
  return breaches;
}
