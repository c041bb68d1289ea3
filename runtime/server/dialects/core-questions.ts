import { METHODS } from '../../protocol/index.js';
import type { Answers, InputEntry, JsonObject, TaskRecord } from '../../tasks/index.js';
import { expiresAt } from '../../tasks/index.js';
import { related } from '../../wire/core-task.js';
import { at, isObject } from '../../wire/json.js';
import type { ServerExchange } from '../origin.js';
import { validAnswer } from '../valid-answers.js';
import { asAnswer } from './core-input-delivery.js';

const SHORTEST_POLL = 100;
const LONGEST_POLL = 60_000;

/** The client that waits for a task. */
export interface Waiting {
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
