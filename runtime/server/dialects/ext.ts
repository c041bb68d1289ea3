import type { ServerContext } from '@modelcontextprotocol/server';

import { METHODS } from '../../protocol/index.js';
import type { Answers, InputEntry, JsonObject, Slot } from '../../tasks/index.js';
import { isTerminal, merged, outstanding, toolErrorResult } from '../../tasks/index.js';
import { toDetailedTask, toExtTask } from '../../wire/ext-task.js';
import { type AskClient, assertAskable } from '../asks.js';
import { INTERNAL_ERROR, INVALID_PARAMS, rpcError, tasksNotDeclared } from '../errors.js';
import type { StoredCall } from '../runs.js';
import { type Answer, declaredCapabilities, inputResponses } from '../sdk/index.js';
import type { ServerTool } from '../tool.js';
import { answerProblem } from '../valid-answers.js';
import type {
  Connection,
  DialectDependencies,
  ServedDialect,
  TaskDialect,
  ToolCallRequest,
} from './dialect.js';
import { declaresTasks } from './ext-declaration.js';
import { createRequestStates, multiRoundTrip, type RequestStates } from './ext-questions.js';
import { createTaskSubscriptions } from './ext-subscriptions.js';

const DONE: JsonObject = { resultType: 'complete' };

/** The tasks extension of revision 2026-07-28: the server decides what becomes a task; `tasks/get` has its result. */
export function serveExt({ engine, secret, servesTasks }: DialectDependencies): ServedDialect {
  const requestStates = createRequestStates(secret);
  return {
    connect: (connection) => new ExtDialect(connection, requestStates),
    subscriptions: (identification) =>
      servesTasks ? createTaskSubscriptions(engine, identification) : undefined,
  };
}

class ExtDialect implements TaskDialect {
  readonly name = 'ext';
  readonly #connection: Connection;
  readonly #requestStates: RequestStates;

  constructor(connection: Connection, requestStates: RequestStates) {
    this.#connection = connection;
    this.#requestStates = requestStates;
  }

  methods(): ReadonlyMap<string, Answer> {
    return new Map<string, Answer>([
      [METHODS.tasksGet, (params, ctx) => this.#get(params, ctx)],
      [METHODS.tasksUpdate, (params, ctx) => this.#update(params, ctx)],
      [METHODS.tasksCancel, (params, ctx) => this.#cancel(params, ctx)],
    ]);
  }

  assertServed(ctx: ServerContext): void {
    if (!declaresTasks(this.clientCapabilities(ctx))) throw tasksNotDeclared();
  }

  clientCapabilities(ctx: ServerContext): unknown {
    return declaredCapabilities(ctx);
  }

  /** The server decides. A client that does not declare the extension gets no task. */
  becomesTask({ tool, ctx }: ToolCallRequest): boolean {
    const declared = this.#connection.serves.tasks() && declaresTasks(this.clientCapabilities(ctx));
    if (tool.taskSupport === 'required' && !declared) throw tasksNotDeclared();
    return declared && tool.taskSupport !== 'forbidden';
  }

  /** Questions are the answer to the call, which the client then repeats: it keeps no slot between. */
  withQuestions(
    { params, ctx, asking }: ToolCallRequest,
    _slot: Slot | undefined,
    work: (ask: AskClient) => Promise<JsonObject>,
  ): Promise<JsonObject> {
    const call = [params.name, params.arguments];
    return multiRoundTrip(this.#requestStates, ctx, call, (ask) =>
      work(async (method, question, options) => {
        assertAskable(asking, 'ext', method, question);
        return ask(method, question, options);
      }),
    );
  }

  questionsOfRun({ tool }: ToolCallRequest, ask: AskClient): AskClient {
    if (tool.retryable) return ask;
    // A tool that says it asks is not started in vain, unless `prepare` may be what asks.
    const runAsks = tool.prepare === undefined && (tool.asks ?? []).length > 0;
    if (runAsks) throw notRetryable(tool);
    return () => Promise.reject(notRetryable(tool));
  }

  async createTask(
    { tool, params, caller, identity }: ToolCallRequest,
    stored: StoredCall,
  ): Promise<JsonObject> {
    // The server decides what becomes a task: a call that has failed already does not.
    if (stored.refused !== undefined) return toolErrorResult('ext', stored.refused);
    const task = await this.#connection.engine.create(caller, {
      method: METHODS.toolsCall,
      tool: tool.name,
      args: stored,
      ...(identity && { caller: identity }),
      ...(params._meta && { meta: params._meta }),
    });
    return { resultType: 'task', ...toExtTask(task) };
  }

  async #get({ taskId }: JsonObject, ctx: ServerContext): Promise<JsonObject> {
    const { engine, callerOf } = this.#connection;
    return merged(DONE, toDetailedTask(await engine.get(callerOf(ctx), taskId)));
  }

  async #cancel({ taskId }: JsonObject, ctx: ServerContext): Promise<JsonObject> {
    const { engine, callerOf } = this.#connection;
    await engine.cancel(callerOf(ctx), taskId);
    return DONE;
  }

  async #update({ taskId }: JsonObject, ctx: ServerContext): Promise<JsonObject> {
    const { engine, callerOf } = this.#connection;
    const caller = callerOf(ctx);
    const given = inputResponses(ctx);
    const { id, input, status } = await engine.get(caller, taskId);
    const refused = (reason: string): void =>
      engine.refused({ ...caller, id, method: METHODS.tasksUpdate }, reason);
    const questions = outstanding(input);
    const keys = new Set(questions.map(({ key }) => key));
    if (Object.keys(given).some((key) => !keys.has(key))) {
      refused(isTerminal(status) ? 'ended' : 'not_asked');
    }
    await engine.answer(caller, taskId, answersTo(questions, given, refused));
    return DONE;
  }
}

/**
 * The responses that answer a question. Throws `-32602` for one that is not what its question asks for: then
 * none is taken, and the questions stay open.
 */
function answersTo(
  questions: readonly InputEntry[],
  given: JsonObject,
  refused: (reason: string) => void,
): Answers {
  const answers = new Map<string, Answers[string]>();
  for (const { key, method, params } of questions) {
    if (!Object.hasOwn(given, key)) continue;
    const problem = answerProblem('ext', method, JSON.parse(params) as JsonObject, given[key]);
    if (problem !== undefined) {
      refused('invalid_params');
      throw rpcError(INVALID_PARAMS, `Invalid inputResponses/${key}: ${problem}`);
    }
    answers.set(key, { result: given[key] as JsonObject });
  }
  return Object.fromEntries(answers);
}

/** Its run would start again for the answer, and must not. */
function notRetryable(tool: ServerTool): Error {
  return tool.taskSupport === 'forbidden'
    ? rpcError(
        INTERNAL_ERROR,
        `Tool ${tool.name} asks for input, for which a call of this revision starts again, or becomes a task: set retryable: true, or taskSupport: 'optional'`,
      )
    : tasksNotDeclared();
}
