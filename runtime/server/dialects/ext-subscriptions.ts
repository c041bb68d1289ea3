import { META_KEYS } from '../../../generated/2026-07-28/protocol.js';
import { validateTaskSubscriptionNotifications } from '../../../generated/ext-tasks/validators.js';
import { METHODS } from '../../protocol/index.js';
import type { Caller, JsonObject, TaskEngine, TaskRecord } from '../../tasks/index.js';
import { isTerminal, TaskError } from '../../tasks/index.js';
import { toDetailedTask } from '../../wire/ext-task.js';
import { at, isObject } from '../../wire/json.js';
import { INVALID_PARAMS, rpcError, tasksNotDeclared } from '../errors.js';
import { callerOf, type Identification } from '../principal.js';
import type { TaskFeed, TaskSubscriptions } from '../sdk/index.js';
import { declaresTasks } from './ext.js';

/** Subscriptions to the tasks of the extension, for the transports of the SDK. */
export function createTaskSubscriptions(
  { engine, servesExt }: { readonly engine: TaskEngine; readonly servesExt: boolean },
  identification: Identification,
): TaskSubscriptions {
  return {
    names: (message): message is JsonObject => servesExt && listensToTasks(message),
    idsIn: taskIdsOf,
    open: (ids, { id, authInfo }, onNews) =>
      openFeed(engine, callerOf(identification, 'ext', authInfo), ids, id, onNews),
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

/** The tasks that such a request names. Throws `-32021` and `-32602` for one that may not or does not. */
function taskIdsOf(message: JsonObject): readonly string[] {
  if (!declaresTasks(at(message, ['params', '_meta', META_KEYS.clientCapabilities]))) {
    throw tasksNotDeclared();
  }
  const filter = validateTaskSubscriptionNotifications(at(message, ['params', 'notifications']));
  if (filter.ok) return filter.value.taskIds ?? [];
  const problems = filter.errors.map(
    (each) => `/params/notifications${each.pointer}: ${each.message}`,
  );
  throw rpcError(INVALID_PARAMS, problems.join('; '));
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

/** Ids in one request; more are not accepted. */
const MOST_IDS = 1_000;
/** Tasks that are read at the same time when a subscription begins. */
const READ_AT_ONCE = 16;
/** Characters of a result. A task with a longer one is read again when its turn comes, and not kept until then. */
const MOST_KEPT = 2 ** 16;

/** A state that is to be told. */
interface News {
  readonly version: number;
  readonly task?: TaskRecord;
}

/** `onNews` is called when there is something to tell after nothing was, and when the feed is over. */
async function openFeed(
  engine: TaskEngine,
  caller: Caller,
  ids: readonly string[],
  subscriptionId: unknown,
  onNews: () => void,
): Promise<TaskFeed> {
  const endings = new Map<string, () => void>();
  const news = new Map<string, News>();
  let opened = false;
  let closed = false;

  function tell(task: TaskRecord): void {
    const { id, version, outcome = '' } = task;
    news.set(id, { version, ...(outcome.length <= MOST_KEPT && { task }) });
    if (isTerminal(task.status)) stop(task.id);
    if (opened) onNews();
  }

  function stop(id: string): void {
    endings.get(id)?.();
    endings.delete(id);
  }

  async function subscribe(id: string): Promise<string | undefined> {
    try {
      const { task, end } = await engine.subscribe(caller, id, (event) => {
        if (event.type === 'changed') return tell(event.task);
        if (event.type === 'progress') return;
        stop(id);
        onNews();
      });
      endings.set(id, end);
      // A client that counts on this stream must not wait for what happened before it was open.
      if (!((news.get(id)?.version ?? 0) > task.version)) tell(task);
      return id;
    } catch {
      // Unknown, another's, or one too many: not accepted, and the client is not told which.
      return undefined;
    }
  }

  const unique = [...new Set(ids)].slice(0, MOST_IDS);
  const accepted: string[] = [];
  for (let at = 0; at < unique.length; at += READ_AT_ONCE) {
    const found = await Promise.all(unique.slice(at, at + READ_AT_ONCE).map(subscribe));
    accepted.push(...found.filter((id) => id !== undefined));
  }
  opened = true;

  /** The task as it is now, unless it is gone. */
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
        const [first] = news;
        if (first === undefined) return undefined;
        const [id, { task }] = first;
        news.delete(id);
        const current = task ?? (await read(id));
        if (current !== undefined) return taskNotification(toDetailedTask(current), subscriptionId);
      }
    },
    get over() {
      return endings.size === 0 && news.size === 0;
    },
    close() {
      closed = true;
      for (const end of endings.values()) end();
      endings.clear();
      news.clear();
    },
  };
}
