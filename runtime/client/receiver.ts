import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/client';

import type { ClientCapabilities } from '../../generated/2025-11-25/types.js';
import { createInProcessExecutor } from '../executors/in-process/index.js';
import { ERROR_CODES, METHODS } from '../protocol/index.js';
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
import { CANCELLED, createStatusNotifier, related, toCoreTask } from '../wire/core-task.js';
import { at, isObject } from '../wire/json.js';
import { DIALECT_REVISIONS } from '../wire/dialect-revisions.js';
import type { InputHandlers, InputRequest } from './types.js';

/** Options for input requests that the server sends as tasks, in the core dialect. */
export interface ReceiverOptions {
  /** Default: in memory, for as long as the client lives. `close` closes it. */
  readonly store?: TaskStore;
  /** Default: in this process. */
  readonly executor?: TaskExecutor;
  readonly limits?: Partial<TaskLimits>;
  /** Milliseconds between polls that the server is asked to keep. Default 1,000. */
  readonly pollInterval?: number;
  readonly audit?: AuditSink;
}

/** Runs input requests as tasks, for one server at a time. */
export interface Receiver {
  /** Opens the task engine. Call it before the first request. */
  open(): Promise<void>;
  /** Answers a task request. Returns false for any other request. */
  take(request: JSONRPCRequest, reply: (message: JSONRPCMessage) => void): boolean;
  /** Takes any notification; stops waiting for a request that the server cancels. */
  receive(notification: { readonly method: string; readonly params?: unknown }): void;
  disconnected(): void;
  close(): Promise<void>;
}

export interface ReceiverDependencies {
  /** The declared capability `tasks`. Other task methods get `-32601`. */
  readonly capabilities: NonNullable<ClientCapabilities['tasks']>;
  readonly handlers: InputHandlers;
  readonly answer: (request: InputRequest) => Promise<JsonObject>;
  readonly notify: (notification: { method: string; params: JsonObject }) => Promise<void>;
}

type Method = typeof METHODS.samplingCreateMessage | typeof METHODS.elicitationCreate;

/** The owner of all tasks, because a connection has one server. */
const SERVER: Caller = { owner: 'server', dialect: 'core' };

export function createReceiver(
  options: ReceiverOptions,
  { capabilities, handlers, answer, notify }: ReceiverDependencies,
): Receiver {
  const store = options.store ?? createMemoryStore();
  const accepted: Readonly<Record<Method, boolean>> = {
    [METHODS.samplingCreateMessage]: capabilities.requests?.sampling?.createMessage !== undefined,
    [METHODS.elicitationCreate]: capabilities.requests?.elicitation?.create !== undefined,
  };
  /** Open `tasks/result` requests by id. */
  const waiting = new Map<string | number, AbortController>();
  let opened: Promise<TaskEngine> | undefined;
  let notifier: ReturnType<typeof createStatusNotifier> | undefined;

  function open(): Promise<TaskEngine> {
    opened ??= createTaskEngine({
      store,
      executor: options.executor ?? createInProcessExecutor(),
      handlers: ({ method }) => (isMethod(method) ? handlerOf(method) : undefined),
      ...(options.limits && { limits: options.limits }),
      ...(options.pollInterval !== undefined && { pollInterval: options.pollInterval }),
      ...(options.audit && { audit: options.audit }),
    });
    return opened;
  }

  /** Retryable, because the server gets the answer only when the task has ended. */
  function handlerOf(method: Method): TaskHandler {
    return {
      retryable: true,
      async run({ args, task }) {
        const result = await answer({ method, params: args as JsonObject, signal: task.signal });
        const problem = DIALECT_REVISIONS.core.checkResult(method, result);
        if (problem !== undefined)
          throw rpc(
            ERROR_CODES.InternalError,
            `The client's answer is invalid: ${problem.message}`,
          );
        return result;
      },
    };
  }

  async function create(method: Method, params: JsonObject): Promise<JsonObject> {
    const { task, ...args } = params;
    if (method === METHODS.elicitationCreate) {
      const mode = args['mode'] === 'url' ? 'url' : 'form';
      if (handlers[mode] === undefined)
        throw rpc(
          ERROR_CODES.InvalidParams,
          `The client does not support elicitation mode ${mode}`,
        );
    }
    const ttl = at(task, ['ttl']);
    const meta = args['_meta'];
    const engine = await open();
    const created = await engine.create(SERVER, {
      method,
      args,
      ...(ttl !== undefined && { ttl }),
      ...(isObject(meta) && { meta }),
    });
    notifier ??= createStatusNotifier(engine, notify);
    await notifier.follow(SERVER, created);
    return { task: toCoreTask(created) };
  }

  async function wait(request: JSONRPCRequest, taskId: unknown): Promise<JsonObject> {
    const gone = new AbortController();
    waiting.set(request.id, gone);
    try {
      const engine = await open();
      const ended = await engine.wait(SERVER, taskId, gone.signal);
      return related(answerOf(ended), ended.id);
    } finally {
      waiting.delete(request.id);
    }
  }

  async function serve(request: JSONRPCRequest): Promise<JsonObject> {
    const problem = DIALECT_REVISIONS.core.check(request, 'server');
    if (problem !== undefined) throw rpc(problem.code, problem.message);
    const { method, params = {} } = request;
    const engine = await open();
    switch (method) {
      case METHODS.tasksGet:
        return { ...toCoreTask(await engine.get(SERVER, params['taskId'])) };
      case METHODS.tasksCancel:
        return { ...toCoreTask(await engine.cancel(SERVER, params['taskId'])) };
      case METHODS.tasksResult:
        return wait(request, params['taskId']);
      case METHODS.tasksList: {
        const { tasks, nextCursor } = await engine.list(SERVER, params['cursor']);
        return { tasks: tasks.map(toCoreTask), ...(nextCursor !== undefined && { nextCursor }) };
      }
      default:
        return create(method as Method, params);
    }
  }

  function takes({ method, params }: JSONRPCRequest): boolean {
    if (isMethod(method))
      return accepted[method] && isObject(params) && params['task'] !== undefined;
    if (method === METHODS.tasksList) return capabilities.list !== undefined;
    if (method === METHODS.tasksCancel) return capabilities.cancel !== undefined;
    return method === METHODS.tasksGet || method === METHODS.tasksResult;
  }

  return {
    async open() {
      await open();
    },
    take(request, reply) {
      if (!takes(request)) return false;
      const { id } = request;
      serve(request).then(
        (result) => reply({ jsonrpc: '2.0', id, result }),
        (error: unknown) => {
          if (error !== GONE) reply({ jsonrpc: '2.0', id, error: rpcErrorOf(error) });
        },
      );
      return true;
    },
    receive({ method, params }) {
      if (method !== METHODS.notificationsCancelled) return;
      waiting.get(at(params, ['requestId']) as string | number)?.abort(GONE);
    },
    disconnected() {
      for (const gone of waiting.values()) gone.abort(GONE);
      notifier?.close();
      notifier = undefined;
    },
    async close() {
      const engine = await opened;
      await engine?.close(0);
      await store.close();
    },
  };
}

/** The reason for ending a request that the server cancelled, or whose connection closed. */
const GONE = new Error('The request was cancelled');

function isMethod(method: string): method is Method {
  return method === METHODS.samplingCreateMessage || method === METHODS.elicitationCreate;
}

function answerOf(ended: TaskRecord): JsonObject {
  const outcome = outcomeOf(ended);
  if (outcome === undefined) throw rpc(CANCELLED, 'The task was cancelled');
  if ('error' in outcome) throw rpc(outcome.error.code, outcome.error.message, outcome.error.data);
  return outcome.result;
}

function rpc(code: number, message: string, data?: unknown): Error {
  return Object.assign(new Error(message), { code, ...(data !== undefined && { data }) });
}

function rpcErrorOf(error: unknown): { code: number; message: string; data?: unknown } {
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  return {
    code: Number.isSafeInteger(code) ? Number(code) : ERROR_CODES.InternalError,
    message: String(message),
    ...(data !== undefined && { data }),
  };
}
