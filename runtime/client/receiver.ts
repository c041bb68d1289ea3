import type { ClientCapabilities } from '../../generated/2025-11-25/types.js';
import { createInProcessExecutor } from '../executors/in-process/index.js';
import { type RowsOf, rpcError } from '../peer/index.js';
import { type DIALECT_VERSIONS, ERROR_CODES, METHODS } from '../protocol.js';
import { createMemoryStore } from '../stores/memory/index.js';
import type {
  AuditSink,
  Caller,
  JsonObject,
  TaskEngine,
  TaskExecutor,
  TaskHandler,
  TaskLimits,
  TaskRecord,
  TaskStore,
} from '../tasks/index.js';
import { createTaskEngine, outcomeOf } from '../tasks/index.js';
import { CANCELLED, createStatusNotifier, related, toCoreTask } from '../peer/wire/core-task.js';
import { at, isObject } from '../peer/wire/json.js';
import { dialectOf } from './revisions.js';
import type { InputRequest } from './types.js';

/** Options for input requests that the server sends as tasks, in the core dialect. */
export interface ReceiverOptions {
  /** Default: in memory, until `close`. The client closes a store that it is given, and cannot connect after that. */
  readonly store?: TaskStore;
  /** Default: in this process. Closed like `store`. */
  readonly executor?: TaskExecutor;
  readonly limits?: Partial<TaskLimits>;
  /** Milliseconds between polls that the server is asked to keep. Default 1,000. */
  readonly pollInterval?: number;
  readonly audit?: AuditSink;
}

type TaskRows = RowsOf<undefined, 'client', 'tasks', typeof DIALECT_VERSIONS.core>;

/** Runs input requests as tasks, for one server at a time. */
export interface Receiver {
  /** `tasks/*`. */
  readonly rows: TaskRows;
  /**
   * Opens the task engine, if it is not open. Call it before the first request. After `close` it opens another engine,
   * and rejects when the options contain the store or the executor, because `close` has closed them.
   */
  open(): Promise<void>;
  /** Whether requests of the method may be tasks. */
  accepts(method: string): boolean;
  /** Makes a task of a request. Resolves with the `CreateTaskResult`. */
  create(method: string, params: JsonObject): Promise<JsonObject>;
  disconnected(): void;
  close(): Promise<void>;
}

export interface ReceiverDependencies {
  readonly capabilities: NonNullable<ClientCapabilities['tasks']>;
  readonly answer: (request: InputRequest) => Promise<JsonObject>;
  readonly notify: (notification: { method: string; params: JsonObject }) => Promise<void>;
}

/** An engine, and its store, which it does not close. */
interface Opened {
  readonly engine: TaskEngine;
  readonly store: TaskStore;
}

type Method = typeof METHODS.samplingCreateMessage | typeof METHODS.elicitationCreate;

/** The owner of all tasks, because a connection has one server. */
const SERVER: Caller = { owner: 'server', dialect: 'core' };

export function createReceiver(
  options: ReceiverOptions,
  { capabilities, answer, notify }: ReceiverDependencies,
): Receiver {
  const accepted: Readonly<Record<Method, boolean>> = {
    [METHODS.samplingCreateMessage]: capabilities.requests?.sampling?.createMessage !== undefined,
    [METHODS.elicitationCreate]: capabilities.requests?.elicitation?.create !== undefined,
  };
  let opened: Promise<Opened> | undefined;
  let wasClosed = false;
  let notifier: ReturnType<typeof createStatusNotifier> | undefined;

  async function begun(): Promise<Opened> {
    if (wasClosed && (options.store ?? options.executor) !== undefined) {
      throw new Error(
        'close() has closed the store and the executor of the option receiver: create another client',
      );
    }
    const store = options.store ?? createMemoryStore();
    const engine = await createTaskEngine({
      store,
      executor: options.executor ?? createInProcessExecutor(),
      handlers: ({ method }) => (isMethod(method) ? handlerOf(method) : undefined),
      ...(options.limits && { limits: options.limits }),
      ...(options.pollInterval !== undefined && { pollInterval: options.pollInterval }),
      ...(options.audit && { audit: options.audit }),
    });
    return { engine, store };
  }

  async function running(): Promise<TaskEngine> {
    if (opened === undefined) throw rpcError(ERROR_CODES.InternalError, 'The client is closed');
    return (await opened).engine;
  }

  /** Retryable, because the server gets the answer only when the task has ended. */
  function handlerOf(method: Method): TaskHandler {
    return {
      retryable: true,
      async run({ args, task }) {
        const result = await answer({ method, params: args, signal: task.signal } as InputRequest);
        const problem = dialectOf('core').revision.checkSent(method, result);
        if (problem !== undefined)
          throw rpcError(
            ERROR_CODES.InternalError,
            `The client's answer is invalid: ${problem.message}`,
          );
        return result;
      },
    };
  }

  const rows: TaskRows = {
    [METHODS.tasksGet]: {
      answer: async ({ taskId }) => toCoreTask(await (await running()).get(SERVER, taskId)),
    },
    [METHODS.tasksCancel]: {
      answer: async ({ taskId }) => toCoreTask(await (await running()).cancel(SERVER, taskId)),
    },
    [METHODS.tasksResult]: {
      async answer({ taskId }, { cancelled }) {
        const ended = await (await running()).wait(SERVER, taskId, cancelled);
        return related(answerOf(ended), ended.id);
      },
    },
    [METHODS.tasksList]: {
      async answer({ cursor }) {
        const { tasks, nextCursor } = await (await running()).list(SERVER, cursor);
        return { tasks: tasks.map(toCoreTask), ...(nextCursor !== undefined && { nextCursor }) };
      },
    },
  };

  return {
    rows,
    async open() {
      const opening = (opened ??= begun());
      await opening.catch((error: unknown) => {
        if (opened === opening) opened = undefined;
        throw error;
      });
    },
    accepts: (method) => isMethod(method) && accepted[method],
    async create(method, params) {
      const { task, ...args } = params;
      const ttl = at(task, ['ttl']);
      const { _meta: meta } = args;
      const engine = await running();
      const created = await engine.create(SERVER, {
        method,
        args,
        ...(ttl !== undefined && { ttl }),
        ...(isObject(meta) && { meta }),
      });
      notifier ??= createStatusNotifier(engine, notify);
      await notifier.follow(SERVER, created);
      return { task: toCoreTask(created) };
    },
    disconnected() {
      notifier?.close();
      notifier = undefined;
    },
    async close() {
      const ending = opened;
      if (ending === undefined) return;
      opened = undefined;
      wasClosed = true;
      const { engine, store } = await ending;
      await engine.close(0);
      await store.close();
    },
  };
}

function isMethod(method: string): method is Method {
  return method === METHODS.samplingCreateMessage || method === METHODS.elicitationCreate;
}

function answerOf(ended: TaskRecord): JsonObject {
  const outcome = outcomeOf(ended);
  if (outcome === undefined) throw rpcError(CANCELLED, 'The task was cancelled');
  if ('error' in outcome)
    throw rpcError(outcome.error.code, outcome.error.message, outcome.error.data);
  return outcome.result;
}
