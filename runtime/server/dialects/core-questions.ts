import { METHODS } from '../../protocol.js';
import {
  type Answers,
  type Caller,
  expiresAt,
  type InputEntry,
  type JsonObject,
  outstanding,
  type TaskEngine,
  TaskError,
  type TaskRecord,
} from '../../tasks/index.js';
import { later } from '../../transport/index.js';
import { related } from '../../peer/wire/core-task.js';
import { at, isObject } from '../../peer/wire/json.js';
import { validAnswer } from '../valid-answers.js';
import type { ServerExchange } from '../session.js';

const SHORTEST_POLL = 100;
const LONGEST_POLL = 60_000;

/** The client that waits for a task. */
interface Waiting {
  readonly exchange: ServerExchange;
  readonly capabilities: unknown;
  /** Aborted when the client that waits for the task has disconnected, or the task has ended. */
  readonly signal: AbortSignal;
}

/**
 * Asks a client of the core dialect a question of a task, on the stream of its `tasks/result`. Where the client
 * runs such requests as tasks, the question becomes a task of the client, and its result is fetched.
 *
 * Rejects when the client cannot be reached; an error that it answered is an answer.
 */
export async function askClient(
  client: Waiting,
  task: TaskRecord,
  entry: InputEntry,
): Promise<Answers[string]> {
  const { method } = entry;
  const params = related(JSON.parse(entry.params) as JsonObject, task.id);
  const [kind = '', verb = ''] = method.split('/');
  const augments = isObject(at(client.capabilities, ['tasks', 'requests', kind, verb]));
  // No clock is read: that of this process may differ from the one by which the task expires.
  const ttl = Math.max(1, expiresAt(task) - task.updatedAt);
  try {
    const result = await validAnswer(method, params, () =>
      augments
        ? asTask(client, method, { ...params, task: { ttl } })
        : send(client, method, params, client.signal),
    );
    return { result };
  } catch (error) {
    const answer = client.signal.aborted ? undefined : asAnswer(error);
    if (answer === undefined) throw error;
    return answer;
  }
}

/**
 * A request that the client may run as a task, and that task's result. `notifications/cancelled` is not
 * for tasks: when the answer is no longer needed, the creation is still awaited, and the task then cancelled.
 */
async function asTask(client: Waiting, method: string, params: JsonObject): Promise<JsonObject> {
  const created = send(client, method, params);
  const taskIn = (answer: JsonObject): unknown => at(answer, ['task', 'taskId']);
  try {
    const answer = await Promise.race([created, aborted(client.signal)]);
    const taskId = taskIn(answer);
    return typeof taskId === 'string' ? await fetched(client, taskId) : answer;
  } catch (error) {
    if (client.signal.aborted && isObject(at(client.capabilities, ['tasks', 'cancel']))) {
      created
        .then((answer) => cancelTask(client, taskIn(answer)))
        // The client cannot be reached, or made no task: there is nothing to cancel.
        .catch(() => undefined);
    }
    throw error;
  }
}

/** On the stream of the request while there is one, because the client reads it. */
function cancelTask(client: Waiting, taskId: unknown): Promise<JsonObject> | undefined {
  const { isOver, origin } = client.exchange;
  if (!isOver) return send(client, METHODS.tasksCancel, { taskId });
  return origin.session?.ask(METHODS.tasksCancel, { taskId });
}

/** The result of a task that the client runs for the server. */
async function fetched(client: Waiting, taskId: string): Promise<JsonObject> {
  for (;;) {
    const { status, pollInterval } = await send(
      client,
      METHODS.tasksGet,
      { taskId },
      client.signal,
    );
    if (status !== 'working') return send(client, METHODS.tasksResult, { taskId }, client.signal);
    await rest(Number(pollInterval) || 1_000, client.signal);
  }
}

function send(
  { exchange }: Waiting,
  method: string,
  params: JsonObject,
  signal?: AbortSignal,
): Promise<JsonObject> {
  return exchange.ask(method, params, signal && { signal });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

function rest(pollInterval: number, signal: AbortSignal): Promise<void> {
  const ms = Math.min(Math.max(pollInterval, SHORTEST_POLL), LONGEST_POLL);
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal.addEventListener('abort', abort, { once: true });
  });
}

/** Sends one question of a task to a client and resolves with its answer, which may be a JSON-RPC error. */
type Deliver = (task: TaskRecord, entry: InputEntry) => Promise<Answers[string]>;

/** Decides which of several `tasks/result` requests carries a question of a core task. */
export interface InputDelivery {
  /**
   * Sends the questions of a task to one listener until it is detached. When several requests listen to
   * the same task, each question goes to one of them, and to another when that one disconnects.
   */
  attach(caller: Caller, deliver: Deliver): Attached;
}

interface Attached {
  offer(task: TaskRecord): void;
  detach(): void;
}

interface Route {
  readonly claimed: Set<string>;
  readonly listeners: Set<Attached>;
  latest: TaskRecord;
}

export function createInputDelivery(
  engine: TaskEngine,
  onProblem: (error: unknown) => void,
): InputDelivery {
  const routes = new Map<string, Route>();

  function routeOf(task: TaskRecord): Route {
    const route = routes.get(task.id) ?? { claimed: new Set(), listeners: new Set(), latest: task };
    routes.set(task.id, route);
    if (task.version > route.latest.version) route.latest = task;
    return route;
  }

  return {
    attach(caller, deliver) {
      let mine: { readonly id: string; readonly route: Route } | undefined;

      async function put(route: Route, task: TaskRecord, entry: InputEntry): Promise<void> {
        route.claimed.add(entry.key);
        let answered = false;
        try {
          const answer = await deliver(task, entry);
          await recordAnswer(engine, caller, task.id, entry.key, answer);
          answered = true;
        } catch (error) {
          if (mine !== undefined) onProblem(error);
        }
        route.claimed.delete(entry.key);
        if (answered) return;
        attached.detach();
        for (const other of route.listeners) other.offer(route.latest);
      }

      const attached: Attached = {
        offer(task) {
          const route = routeOf(task);
          mine = { id: task.id, route };
          route.listeners.add(attached);
          for (const entry of outstanding(route.latest.input)) {
            if (!route.claimed.has(entry.key)) void put(route, task, entry);
          }
        },
        detach() {
          if (mine === undefined) return;
          const { id, route } = mine;
          mine = undefined;
          route.listeners.delete(attached);
          if (route.listeners.size === 0 && routes.get(id) === route) routes.delete(id);
        },
      };
      return attached;
    },
  };
}

/**
 * Tries again when the engine asks for it: the client has answered, and is not asked a second time. So the handler gets
 * an error in place of an answer that is too large.
 */
async function recordAnswer(
  engine: TaskEngine,
  caller: Caller,
  taskId: string,
  key: string,
  given: Answers[string],
): Promise<void> {
  for (let answer = given; ;) {
    try {
      await engine.answer(caller, taskId, { [key]: answer });
      return;
    } catch (error) {
      if (!(error instanceof TaskError) || error.reason === 'closed') throw error;
      const wait = Number(error.data['retryAfterMs']);
      if (error.reason === 'invalid_params' && answer === given) {
        answer = { error: { code: error.code, message: error.message } };
      } else if (wait > 0) await new Promise<void>((resolve) => later(wait, resolve));
      else throw error;
    }
  }
}

/** The client's JSON-RPC error as an answer; undefined when something else was thrown. */
function asAnswer(error: unknown): Answers[string] | undefined {
  if (!isObject(error) || !Number.isSafeInteger(error['code'])) return undefined;
  const { code, message, data } = error;
  return {
    error: { code: Number(code), message: String(message), ...(data !== undefined && { data }) },
  };
}
