import type { Task } from '../../../generated/2025-11-25/types.js';
import { DIALECT_VERSIONS, METHODS } from '../../protocol.js';
import {
  type JsonObject,
  nextTurn,
  outcomeOf,
  type Slot,
  SlotUse,
  type TaskRecord,
} from '../../tasks/index.js';
import { openSessions } from '../../transport/index.js';
import {
  CANCELLED,
  createStatusNotifier,
  IMMEDIATE_RESPONSE,
  related,
  type StatusNotifier,
  toCoreTask,
} from '../../peer/wire/core-task.js';
import { member } from '../../peer/wire/json.js';
import type { VersionOf } from '../../peer/wire/messages.js';
import type { Revision } from '../../peer/wire/revision.js';
import { type AskClient, assertAskable } from '../asks.js';
import { assertShort, METHOD_NOT_FOUND, replay, rpcError } from '../errors.js';
import { validAnswer } from '../valid-answers.js';
import { hasOwnTasks } from '../capabilities.js';
import { degraded } from '../features/degrade.js';
import { sessionRows } from '../features/lifecycle.js';
import { loggingRows } from '../controls.js';
import {
  announceCompleted,
  type BaseRows,
  clientCapabilitiesOf,
  type FeatureRows,
  type ServerExchange,
  Session,
} from '../session.js';
import { askClient, createInputDelivery, type InputDelivery } from './core-questions.js';
import type {
  CallAnswer,
  DialectModule,
  Endpoint,
  Questioned,
  StoredCall,
  TaskDialect,
  ToolCallRequest,
} from '../endpoint.js';

/** Tasks of revision 2025-11-25: the client asks for them, and fetches their results with `tasks/result`. */
export function serveCore(endpoint: Omit<Endpoint, 'dialect'>): TaskDialect {
  return new CoreDialect(endpoint);
}

interface OfTask {
  readonly taskId: string;
}

class CoreDialect implements TaskDialect {
  readonly name = 'core';
  readonly rows: FeatureRows<'tasks', VersionOf<'core'>>;
  readonly #endpoint: Omit<Endpoint, 'dialect'>;
  readonly #inputDelivery: InputDelivery;

  constructor(endpoint: Omit<Endpoint, 'dialect'>) {
    const { engine, onError } = endpoint;
    this.#endpoint = endpoint;
    this.#inputDelivery = createInputDelivery(engine, onError);
    this.rows = {
      [METHODS.tasksGet]: { answer: (params, exchange) => this.#get(params, exchange) },
      [METHODS.tasksResult]: {
        answer: (params, exchange) => this.#result(params, exchange),
        // Only tool calls become tasks, so that is whose result a task's result has to be.
        checkedAs: METHODS.toolsCall,
      },
      [METHODS.tasksCancel]: { answer: (params, exchange) => this.#cancel(params, exchange) },
      [METHODS.tasksList]: { answer: (params, exchange) => this.#list(params, exchange) },
    };
  }

  /** The client decides. A session without tasks ignores `params.task`. */
  becomesTask({ tool, params, exchange }: ToolCallRequest): boolean {
    const { tasks, calls } = this.#endpoint.serves;
    const wanted =
      params.task !== undefined && tasks && calls && hasOwnTasks(exchange.revision.version);
    if (wanted && tool.taskSupport === 'forbidden') {
      throw rpcError(METHOD_NOT_FOUND, `Tool ${tool.name} does not run as a task`);
    }
    if (!wanted && tool.taskSupport === 'required') {
      throw rpcError(METHOD_NOT_FOUND, `Tool ${tool.name} runs as a task only`);
    }
    return wanted;
  }

  /** Questions are requests on the stream of the call. */
  withQuestions<R extends object>(
    { exchange, asking }: Questioned,
    slot: Slot | undefined,
    work: (ask: AskClient) => Promise<R>,
  ): Promise<R> {
    const ask: AskClient = async (method, question) => {
      assertAskable(asking(), 'core', method, question);
      return validAnswer(method, question, () => exchange.ask(method, question));
    };
    return work(slot ? outsideSlot(slot, ask) : ask);
  }

  questionsOfRun(_call: ToolCallRequest, ask: AskClient): AskClient {
    return ask;
  }

  async createTask(
    { tool, params, caller, identity, exchange }: ToolCallRequest,
    stored: StoredCall,
  ): Promise<CallAnswer> {
    const ttl = member(params.task, 'ttl');
    const task = await this.#endpoint.engine.create(caller, {
      method: METHODS.toolsCall,
      tool: tool.name,
      args: stored,
      ...(identity && { caller: identity }),
      ...(ttl !== undefined && { ttl }),
      ...(exchange.meta && { meta: exchange.meta }),
    });
    const { session } = exchange.origin;
    if (session !== undefined) await this.#notifierOf(session).follow(caller, task);
    return {
      task: toCoreTask(task),
      ...(tool.immediateResponse !== undefined && {
        _meta: { [IMMEDIATE_RESPONSE]: tool.immediateResponse },
      }),
    };
  }

  /** Announces the changes of a session's tasks to its client. */
  #notifierOf(session: Session): StatusNotifier {
    if (session.taskNotifier !== undefined) return session.taskNotifier;
    const notifier = createStatusNotifier(this.#endpoint.engine, ({ method, params }) =>
      session.notify(method, params),
    );
    session.peer.onClosed(() => notifier.close());
    return (session.taskNotifier = notifier);
  }

  async #get({ taskId }: OfTask, exchange: ServerExchange): Promise<Task> {
    const { engine, callerOf } = this.#endpoint;
    return toCoreTask(await engine.get(callerOf(exchange), taskId));
  }

  async #cancel({ taskId }: OfTask, exchange: ServerExchange): Promise<Task> {
    const { engine, callerOf } = this.#endpoint;
    return toCoreTask(await engine.cancel(callerOf(exchange), taskId));
  }

  async #list({ cursor }: { readonly cursor?: string }, exchange: ServerExchange) {
    const { engine, callerOf } = this.#endpoint;
    const { tasks, nextCursor } = await engine.list(callerOf(exchange), cursor);
    return { tasks: tasks.map(toCoreTask), ...(nextCursor !== undefined && { nextCursor }) };
  }

  /** Waits for the end, and meanwhile puts the task's questions to the client that waits. */
  async #result(params: OfTask, exchange: ServerExchange): Promise<JsonObject> {
    assertShort('The params of tasks/result', params, LONGEST_WAIT);
    const { taskId } = params;
    const { engine, callerOf } = this.#endpoint;
    const caller = callerOf(exchange);
    let over: AbortController | undefined;
    const capabilities = clientCapabilitiesOf(exchange);
    const attached = this.#inputDelivery.attach(caller, (task, entry) => {
      over ??= new AbortController();
      exchange.origin.session?.elicitations.asked(entry);
      const signal = AbortSignal.any([exchange.gone.signal, over.signal]);
      return askClient({ exchange, capabilities, signal }, task, entry);
    });
    try {
      const ended = await engine.wait(caller, taskId, exchange.gone, (task) => {
        attached.offer(task);
        announceCompletedOf(task, exchange);
      });
      announceCompletedOf(ended, exchange);
      return related(resultOf(ended), ended.id);
    } finally {
      attached.detach();
      if (over !== undefined) {
        over.abort();
        // What withdraws the questions goes out before the answer, which ends the stream.
        await new Promise<void>((resolve) => nextTurn(resolve));
      }
    }
  }
}

/** Characters of the params of a `tasks/result`: an open request keeps them, and an owner may have 10,000. */
const LONGEST_WAIT = 2 ** 16;

/** Tells a client that its user is done on pages to which questions of the task have led. */
function announceCompletedOf({ id, input }: TaskRecord, exchange: ServerExchange): void {
  for (const each of exchange.origin.session?.elicitations.completedIn(input) ?? []) {
    // A client that disconnected does not receive it.
    announceCompleted(exchange, each, id).catch(() => undefined);
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

/** The dialect's own revision has every member and every type of content. */
function shown(method: string, revision: Revision, value: JsonObject): JsonObject {
  return revision.version === DIALECT_VERSIONS.core ? value : degraded(method, revision, value);
}

/** Revisions with sessions. */
export const CORE: DialectModule = {
  name: 'core',
  serve: serveCore,
  rows: (endpoint): BaseRows<'core'> => ({ ...sessionRows(endpoint), ...loggingRows() }),
  // The handshake settles the revision in which it is answered.
  complete: (result, { method, revision, origin }) =>
    shown(method, origin.session?.revision ?? revision, result),
  degraded: shown,
  sessions: { make: (...parts) => new Session(...parts), open: openSessions },
};
