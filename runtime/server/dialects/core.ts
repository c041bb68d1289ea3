import type { ServerContext } from '@modelcontextprotocol/server';

import { METHODS } from '../../protocol/index.js';
import type { JsonObject, Slot, TaskRecord } from '../../tasks/index.js';
import { outcomeOf, SlotUse } from '../../tasks/index.js';
import { CANCELLED, IMMEDIATE_RESPONSE, related, toCoreTask } from '../../wire/core-task.js';
import { createStatusNotifier, type StatusNotifier } from '../../wire/status-notifier.js';
import { type AskClient, assertAskable } from '../asks.js';
import { METHOD_NOT_FOUND, replay, rpcError } from '../errors.js';
import type { StoredCall } from '../runs.js';
import { type Answer, endOf, sendRequest, signalOf } from '../sdk/index.js';
import { validAnswer } from '../valid-answers.js';
import { askClient } from './core-questions.js';
import { createInputDelivery, type InputDelivery } from './core-input-delivery.js';
import type {
  Connection,
  DialectDependencies,
  ServedDialect,
  TaskDialect,
  ToolCallRequest,
} from './dialect.js';

/** Tasks of revision 2025-11-25: the client asks for them, and fetches their results with `tasks/result`. */
export function serveCore({ engine, onError }: DialectDependencies): ServedDialect {
  const inputDelivery = createInputDelivery(engine, onError);
  return {
    connect: (connection) => new CoreDialect(connection, inputDelivery),
    subscriptions: () => undefined,
  };
}

class CoreDialect implements TaskDialect {
  readonly name = 'core';
  readonly #connection: Connection;
  readonly #inputDelivery: InputDelivery;
  readonly #notifier: StatusNotifier;

  constructor(connection: Connection, inputDelivery: InputDelivery) {
    const { peer, engine } = connection;
    this.#connection = connection;
    this.#inputDelivery = inputDelivery;
    this.#notifier = createStatusNotifier(engine, (notification) => peer.notify(notification));
    peer.onClosed(() => this.#notifier.close());
  }

  methods(): ReadonlyMap<string, Answer> {
    const { serves } = this.#connection;
    const methods = new Map<string, Answer>([
      [METHODS.tasksGet, (params, ctx) => this.#get(params, ctx)],
      [METHODS.tasksResult, (params, ctx) => this.#result(params, ctx)],
    ]);
    if (serves.cancel) methods.set(METHODS.tasksCancel, (params, ctx) => this.#cancel(params, ctx));
    if (serves.list) methods.set(METHODS.tasksList, (params, ctx) => this.#list(params, ctx));
    return methods;
  }

  assertServed(): void {
    if (!this.#connection.serves.tasks()) throw rpcError(METHOD_NOT_FOUND, 'Method not found');
  }

  clientCapabilities(): unknown {
    return this.#connection.peer.clientCapabilities;
  }

  /** The client decides. A session without tasks ignores `params.task`. */
  becomesTask({ tool, params }: ToolCallRequest): boolean {
    const { serves } = this.#connection;
    const wanted = serves.tasks() && serves.calls && params.task !== undefined;
    if (wanted && tool.taskSupport === 'forbidden') {
      throw rpcError(METHOD_NOT_FOUND, `Tool ${tool.name} does not run as a task`);
    }
    if (!wanted && tool.taskSupport === 'required') {
      throw rpcError(METHOD_NOT_FOUND, `Tool ${tool.name} runs as a task only`);
    }
    return wanted;
  }

  /** Questions are requests on the stream of the call. */
  withQuestions(
    { ctx, asking }: ToolCallRequest,
    slot: Slot | undefined,
    work: (ask: AskClient) => Promise<JsonObject>,
  ): Promise<JsonObject> {
    const ask: AskClient = async (method, question) => {
      assertAskable(asking, 'core', method, question);
      return validAnswer(method, question, () => sendRequest(ctx, method, question));
    };
    return work(slot ? outsideSlot(slot, ask) : ask);
  }

  questionsOfRun(_call: ToolCallRequest, ask: AskClient): AskClient {
    return ask;
  }

  async createTask(
    { tool, params, caller, identity }: ToolCallRequest,
    stored: StoredCall,
  ): Promise<JsonObject> {
    const task = await this.#connection.engine.create(caller, {
      method: METHODS.toolsCall,
      tool: tool.name,
      args: stored,
      ...(identity && { caller: identity }),
      ...(params.task?.ttl !== undefined && { ttl: params.task.ttl }),
      ...(params._meta && { meta: params._meta }),
    });
    await this.#notifier.follow(caller, task);
    return {
      task: toCoreTask(task),
      ...(tool.immediateResponse !== undefined && {
        _meta: { [IMMEDIATE_RESPONSE]: tool.immediateResponse },
      }),
    };
  }

  async #get({ taskId }: JsonObject, ctx: ServerContext): Promise<JsonObject> {
    const { engine, callerOf } = this.#connection;
    return toCoreTask(await engine.get(callerOf(ctx), taskId));
  }

  async #cancel({ taskId }: JsonObject, ctx: ServerContext): Promise<JsonObject> {
    const { engine, callerOf } = this.#connection;
    return toCoreTask(await engine.cancel(callerOf(ctx), taskId));
  }

  async #list({ cursor }: JsonObject, ctx: ServerContext): Promise<JsonObject> {
    const { engine, callerOf } = this.#connection;
    const { tasks, nextCursor } = await engine.list(callerOf(ctx), cursor);
    return { tasks: tasks.map(toCoreTask), ...(nextCursor !== undefined && { nextCursor }) };
  }

  /** Waits for the end, and meanwhile puts the task's questions to the client that waits. */
  async #result({ taskId }: JsonObject, ctx: ServerContext): Promise<JsonObject> {
    const { engine, callerOf } = this.#connection;
    const caller = callerOf(ctx);
    const end = endOf(ctx);
    let over: AbortController | undefined;
    const capabilities = this.clientCapabilities();
    const attached = this.#inputDelivery.attach(caller, (task, entry) => {
      over ??= new AbortController();
      const signal = AbortSignal.any([signalOf(end), over.signal]);
      return askClient({ ctx, capabilities, signal }, task, entry);
    });
    try {
      const ended = await engine.wait(caller, taskId, end, (task) => attached.offer(task));
      return related(resultOf(ended), ended.id);
    } finally {
      attached.detach();
      over?.abort();
    }
  }
}

/** The result of an ended task. Throws its error. */
function resultOf(ended: TaskRecord): JsonObject {
  const outcome = outcomeOf(ended);
  if (outcome === undefined) throw rpcError(CANCELLED, 'The task was cancelled');
  return 'result' in outcome ? outcome.result : replay(outcome.error);
}

/** Gives the slot to others while the call waits for answers. */
function outsideSlot(slot: Slot, ask: AskClient): AskClient {
  const use = new SlotUse(slot);
  return async (...question) => {
    use.leave();
    try {
      return await ask(...question);
    } finally {
      await new Promise<void>((resume) => use.enter(resume));
    }
  };
}
