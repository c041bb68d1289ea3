import { quote } from '../diagnostics/index.js';
import { at, entriesAt, textAt } from './access.js';
import { BoundedMap } from './bounded.js';
import type { Party } from './direction.js';
import { BOUNDS, keyOf } from './exchanges.js';
import type { Sender } from './exchanges.js';
import type { Breach } from './finding.js';
import { fingerprint } from './fingerprint.js';
import type { Path } from './read.js';

/** A request for input that a task made. */
interface Input {
  readonly print: number;
  readonly method: string;
  /** How many messages came before the one that no longer had it. */
  goneAt: number | undefined;
  /** How many messages came before the client's answer to it. */
  answeredAt: number | undefined;
}

/** What is known of a task. */
export interface KnownTask {
  readonly taskId: string;
  /** Who asked for it. */
  readonly owner: Sender;
  /** The method of the request that became the task, where it was recorded. */
  readonly method: string | undefined;
  /** How many messages came before the one that first showed it ended. */
  endedAt: number | undefined;
  /** The terminal status, where a message showed it. */
  status: string | undefined;
  updated: number;
  channel: string;
  readonly inputs: Map<string, Input>;
}

/** When and where a message shows a task. */
export interface Seen {
  /** How many messages came before. */
  readonly at: number;
  /** How many came before the request that the message answers; absent for notifications. */
  readonly asked?: number;
  /** Messages of one channel arrive in the order in which they are sent. */
  readonly channel: string;
}

const STATUSES: ReadonlySet<string> = new Set([
  'working',
  'input_required',
  'completed',
  'failed',
  'cancelled',
]);
const LIVE: ReadonlySet<string> = new Set(['working', 'input_required']);
/** Of one task. */
const MOST_INPUTS = 200;

/** The tasks of a conversation, by the side that asked for them. The oldest are forgotten. */
export class TaskBook {
  #tasks = new BoundedMap<KnownTask>(BOUNDS);

  /** Returns the task as it was known before, too. */
  create(
    owner: Sender,
    taskId: string,
    method: string | undefined,
  ): { readonly task: KnownTask; readonly earlier: KnownTask | undefined } {
    const key = keyOf(owner, taskId);
    const earlier = this.#tasks.get(key);
    const task: KnownTask = {
      taskId,
      owner,
      method,
      endedAt: earlier?.endedAt,
      status: earlier?.status,
      updated: earlier?.updated ?? Number.NaN,
      channel: earlier?.channel ?? '',
      inputs: earlier?.inputs ?? new Map<string, Input>(),
    };
    this.#tasks.set(key, task, [taskId, method ?? '']);
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

  /** The side that asked for the task, where one alone did. */
  ownerOf(taskId: unknown): Party | undefined {
    const client = this.find(taskId, ['client']);
    const server = this.find(taskId, ['server']);
    return client && !server ? 'client' : server && !client ? 'server' : undefined;
  }
}

/** Takes in what a message shows of a task's status. `key`: where in the message it does. */
export function observe(task: KnownTask, state: unknown, seen: Seen, key: Path): Breach[] {
  const status = textAt(state, 'status');
  if (status === undefined || !STATUSES.has(status)) return [];
  const updated = Date.parse(textAt(state, 'lastUpdatedAt') ?? '');
  if (task.endedAt === undefined) {
    if (!LIVE.has(status)) {
      Object.assign(task, { endedAt: seen.at, status, updated, channel: seen.channel });
    }
    return [];
  }
  if (status === task.status || !isAfterEnd(task, updated, seen)) return [];
  if (task.status === undefined && !LIVE.has(status)) {
    task.status = status;
    return [];
  }
  const was = task.status === undefined ? 'its result was sent' : `it was ${quote(task.status)}`;
  const message = `The task ${quote(task.taskId)} is ${quote(status)} after ${was}: it ends once.`;
  return [{ code: 'bad-transition', message, key: [...key, 'status'] }];
}

/** Messages of two channels may be recorded in another order than they were sent in. */
function isAfterEnd(task: KnownTask, updated: number, { asked, channel }: Seen): boolean {
  if (asked !== undefined) return asked > (task.endedAt ?? 0);
  return updated > task.updated || (updated === task.updated && channel === task.channel);
}

/** Takes in the requests for input that a message shows. */
export function observeInputs(task: KnownTask, state: unknown, seen: Seen, key: Path): Breach[] {
  const asked = seen.asked;
  const breaches: Breach[] = [];
  const outstanding = new Map(entriesAt(state, 'inputRequests'));
  for (const [name, request] of outstanding) {
    const print = fingerprint(request);
    const known = task.inputs.get(name);
    const cameBack = known?.goneAt !== undefined && asked !== undefined && asked > known.goneAt;
    if (known && (known.print !== print || cameBack)) {
      const message = `The key ${quote(name)} of inputRequests stood for another request of the task before.`;
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

/** Takes in the client's answers to requests for input. */
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

/** The answers that came with the request at this place were refused. */
export function refuseResponses(task: KnownTask, before: number): void {
  for (const input of task.inputs.values()) {
    if (input.answeredAt === before) input.answeredAt = undefined;
  }
}

const RFC3339 =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;
const FOREIGN = {
  core: { ttlMs: 'ttl', pollIntervalMs: 'pollInterval' },
  ext: { ttl: 'ttlMs', pollInterval: 'pollIntervalMs' },
} as const;

/** Checks what a schema does not say of a task object. */
export function checkTask(task: unknown, dialect: 'core' | 'ext', key: Path): Breach[] {
  const breaches: Breach[] = [];
  for (const name of ['createdAt', 'lastUpdatedAt']) {
    const time = textAt(task, name);
    if (time === undefined || RFC3339.test(time)) continue;
    const message = `${name} is ${quote(time)}: give a date and time such as "2026-07-28T12:00:00Z".`;
    breaches.push({ code: 'bad-timestamp', message, key: [...key, name] });
  }
  for (const [name, own] of Object.entries(FOREIGN[dialect])) {
    if (at(task, name) === undefined) continue;
    const message = `${name} belongs to the other kind of tasks: use ${own}.`;
    breaches.push({ code: 'foreign-field', message, key: [...key, name] });
  }
  return breaches;
}
