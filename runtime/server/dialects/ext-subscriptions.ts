import { META_KEYS, METHODS } from '../../protocol/index.js';
import type { Caller, JsonObject, TaskEngine, TaskRecord } from '../../tasks/index.js';
import { isTerminal, TaskError } from '../../tasks/index.js';
import { toDetailedTask } from '../../wire/ext-task.js';
import { at, isObject } from '../../wire/json.js';
import { tasksExtension } from '../../wire/revisions.js';
import { INVALID_PARAMS, rpcError, tasksNotDeclared } from '../errors.js';
import { callerOf, type Identification } from '../principal.js';
import type { TaskFeed, TaskSubscriptions } from '../sdk/index.js';
import { declaresTasks } from './ext-declaration.js';

/** Subscriptions to the tasks of the extension, for the transports of the SDK. */
export function createTaskSubscriptions(
  engine: TaskEngine,
  identification: Identification,
): TaskSubscriptions {
  return {
    names: (message): message is JsonObject => listensToTasks(message),
    idsIn: taskIdsOf,
    open: (ids, { id, authInfo }, onChange) =>
      openFeed(engine, callerOf(identification, 'ext', authInfo), ids, id, onChange),
  };
}

/** Whether this is a `subscriptions/listen` that names tasks: all others are the SDK's alone. */
function listensToTasks(message: unknown): boolean {
  return (
    isObject(message) &&
    message['method'] === METHODS.subscriptionsListen &&
    at(message, ['params', 'notifications', 'taskIds']) !== undefined
  );
}

/** The tasks that such a request names. Throws `-32021` and `-32602` for one that may not, or does not, or names too many. */
function taskIdsOf(message: JsonObject): readonly string[] {
  if (!declaresTasks(at(message, ['params', '_meta', META_KEYS.clientCapabilities]))) {
    throw tasksNotDeclared();
  }
  const filter = tasksExtension().validateTaskSubscriptionNotifications(
    at(message, ['params', 'notifications']),
  );
  if (filter.ok) return distinct(filter.value.taskIds ?? []);
  const problems = filter.errors.map(
    (each) => `/params/notifications${each.pointer}: ${each.message}`,
  );
  throw rpcError(INVALID_PARAMS, problems.join('; '));
}

function distinct(taskIds: readonly string[]): readonly string[] {
  const ids = [...new Set(taskIds)];
  if (ids.length <= MOST_IDS) return ids;
  throw rpcError(
    INVALID_PARAMS,
    `/params/notifications/taskIds: ${ids.length} ids, a subscription takes ${MOST_IDS}`,
  );
}

/** The SDK's acknowledgement with the tasks that were accepted. */
function acknowledged(message: JsonObject, taskIds: readonly string[]): JsonObject {
  const params = message['params'] as JsonObject;
  const notifications = { ...(params['notifications'] as JsonObject), taskIds };
  return { ...message, params: { ...params, notifications } };
}

function taskNotification(task: JsonObject, subscriptionId: unknown): JsonObject {
  const params = { ...task, _meta: { [META_KEYS.subscriptionId]: subscriptionId } };
  return { jsonrpc: '2.0', method: METHODS.notificationsTasks, params };
}

/** Ids in one request. */
const MOST_IDS = 1_000;
/** Tasks that are read at the same time when a subscription begins. */
const READ_AT_ONCE = 16;
/** Characters of a result. A task with a longer one is not kept but read again when it is sent. */
const MOST_KEPT = 2 ** 16;

/** A state of a task that is to be sent. */
interface Pending {
  readonly version: number;
  readonly task?: TaskRecord;
}

/** `onChange` is called when there is a notification after there was none, and when the feed is over. */
async function openFeed(
  engine: TaskEngine,
  caller: Caller,
  ids: readonly string[],
  subscriptionId: unknown,
  onChange: () => void,
): Promise<TaskFeed> {
  const endings = new Map<string, () => void>();
  const pending = new Map<string, Pending>();
  let opened = false;
  let closed = false;

  function add(task: TaskRecord): void {
    const { id, version, outcome = '' } = task;
    pending.set(id, { version, ...(outcome.length <= MOST_KEPT && { task }) });
    if (isTerminal(task.status)) stop(task.id);
    if (opened) onChange();
  }

  function stop(id: string): void {
    endings.get(id)?.();
    endings.delete(id);
  }

  /** Returns the id if there is such a task. Throws when it cannot be followed now, or that cannot be found out. */
  async function subscribe(id: string): Promise<string | undefined> {
    try {
      const { task, end } = await engine.subscribe(caller, id, (event) => {
        if (event.type === 'changed') return add(event.task);
        if (event.type === 'progress') return;
        stop(id);
        onChange();
      });
      endings.set(id, end);
      // The client may rely on this stream, so it gets the changes from before the stream was open.
      if (!((pending.get(id)?.version ?? 0) > task.version)) add(task);
      return id;
    } catch (error) {
      // Unknown or another owner's: not accepted, and the client does not learn which.
      if (error instanceof TaskError && error.reason === 'unknown_task') return undefined;
      throw error;
    }
  }

  function close(): void {
    closed = true;
    for (const end of endings.values()) end();
    endings.clear();
    pending.clear();
  }

  const accepted: string[] = [];
  for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
    const found = await Promise.allSettled(ids.slice(at, at + READ_AT_ONCE).map(subscribe));
    for (const each of found) {
      if (each.status === 'fulfilled') {
        if (each.value !== undefined) accepted.push(each.value);
        continue;
      }
      // All or none: a client cannot see in an acknowledgement why a task is missing.
      close();
      throw each.reason;
    }
  }
  opened = true;

  /** The task as it is now; undefined when it was removed. */
  async function read(id: string): Promise<TaskRecord | undefined> {
    while (!closed) {
      try {
        return await engine.get(caller, id);
      } catch (error) {
        const wait = error instanceof TaskError ? Number(error.data?.['retryAfterMs']) : NaN;
        if (!(wait > 0)) return undefined;
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
    return undefined;
  }

  return {
    acknowledged: (message) => acknowledged(message, accepted),
    async next() {
      for (;;) {
        const [first] = pending;
        if (first === undefined) return undefined;
        const [id, { task }] = first;
        pending.delete(id);
        const current = task ?? (await read(id));
        if (current !== undefined) return taskNotification(toDetailedTask(current), subscriptionId);
      }
    },
    get over() {
      return endings.size === 0 && pending.size === 0;
    },
    close,
  };
}
