import type { Handler } from '../../peer/index.js';
import type { Implementation } from '../../../generated/2025-11-25/types.js';
import type { GetTaskResult, UpdateTaskRequest } from '../../../generated/ext-tasks/types.js';
import type { InputRequiredResult } from '../../../generated/2026-07-28/types.js';
import { type EXTENSION_ID, META_KEYS, METHODS } from '../../protocol.js';
import {
  type Answers,
  type InputEntry,
  isTerminal,
  type JsonObject,
  merged,
  outstanding,
  type Slot,
  toolErrorResult,
} from '../../tasks/index.js';
import { CACHEABLE, COMPLETE, NOT_CACHED } from '../../rules/messages.js';
import type { VersionOf } from '../../peer/wire/messages.js';
import { toDetailedTask, toExtTask } from '../../peer/wire/ext-task.js';
import { isObject } from '../../peer/wire/json.js';
import { answerProblem } from '../valid-answers.js';
import { type AskClient, assertAskable, declaresTasks } from '../asks.js';
import { INTERNAL_ERROR, INVALID_PARAMS, rpcError, tasksNotDeclared } from '../errors.js';
import { discoverRows } from '../features/lifecycle.js';
import { listenRows } from '../features/listen.js';
import {
  type BaseRows,
  clientCapabilitiesOf,
  type FeatureRows,
  type ServerExchange,
  type ServerOrigin,
} from '../session.js';
import type { ServerTool } from '../tool.js';
import type {
  CallAnswer,
  DialectModule,
  DialectParts,
  Questioned,
  StoredCall,
  TaskDialect,
  ToolCallRequest,
} from './dialect.js';
import { createRequestStates, multiRoundTrip, type RequestStates } from './ext-questions.js';

/** The tasks extension of revision 2026-07-28: the server decides what becomes a task; `tasks/get` has its result. */
export function serveExt(parts: DialectParts): TaskDialect {
  return new ExtDialect(parts);
}

type Rows = FeatureRows<typeof EXTENSION_ID, VersionOf<'ext'>>;

interface OfTask {
  readonly taskId: string;
}

class ExtDialect implements TaskDialect {
  readonly name = 'ext';
  readonly rows: Rows;
  readonly #parts: DialectParts;
  readonly #requestStates: RequestStates;

  constructor(parts: DialectParts) {
    this.#parts = parts;
    this.#requestStates = createRequestStates(parts.secret);
    this.rows = {
      [METHODS.tasksGet]: declared((params, exchange) => this.#get(params, exchange)),
      [METHODS.tasksUpdate]: declared((params, exchange) => this.#update(params, exchange)),
      [METHODS.tasksCancel]: declared((params, exchange) => this.#cancel(params, exchange)),
    };
  }

  /** The server decides. A client that does not declare the extension gets no task. */
  becomesTask({ tool, exchange }: ToolCallRequest): boolean {
    if (tool.taskSupport === 'forbidden') return false;
    const isDeclared = this.#parts.serves.tasks && declaresTasks(clientCapabilitiesOf(exchange));
    if (tool.taskSupport === 'required' && !isDeclared) throw tasksNotDeclared();
    return isDeclared;
  }

  /** Questions are the answer to the request, which the client then repeats: it keeps no slot between. */
  withQuestions<R extends object>(
    { params, caller, asking, request }: Questioned,
    _slot: Slot | undefined,
    work: (ask: AskClient) => Promise<R>,
  ): Promise<R | InputRequiredResult> {
    const round = { params, owner: caller.owner, request };
    return multiRoundTrip(this.#requestStates, round, (ask) =>
      work(async (method, question, options) => {
        assertAskable(asking(), 'ext', method, question);
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
    { tool, caller, identity, exchange }: ToolCallRequest,
    stored: StoredCall,
  ): Promise<CallAnswer> {
    // The server decides what becomes a task: a call that has failed already does not.
    if (stored.refused !== undefined) return toolErrorResult('ext', stored.refused);
    const task = await this.#parts.engine.create(caller, {
      method: METHODS.toolsCall,
      tool: tool.name,
      args: stored,
      ...(identity && { caller: identity }),
      ...(exchange.meta && { meta: exchange.meta }),
    });
    return { resultType: 'task', ...toExtTask(task) };
  }

  async #get({ taskId }: OfTask, exchange: ServerExchange): Promise<GetTaskResult> {
    const { engine, callerOf } = this.#parts;
    return merged(COMPLETE, toDetailedTask(await engine.get(callerOf(exchange), taskId)));
  }

  async #cancel({ taskId }: OfTask, exchange: ServerExchange): Promise<typeof COMPLETE> {
    const { engine, callerOf } = this.#parts;
    await engine.cancel(callerOf(exchange), taskId);
    return COMPLETE;
  }

  async #update(
    { taskId, inputResponses: given }: UpdateTaskRequest['params'],
    exchange: ServerExchange,
  ): Promise<typeof COMPLETE> {
    const { engine, callerOf } = this.#parts;
    const caller = callerOf(exchange);
    const { id, input, status } = await engine.get(caller, taskId);
    const refused = (reason: string): void =>
      engine.refused({ ...caller, id, method: METHODS.tasksUpdate }, reason);
    const questions = outstanding(input);
    const keys = new Set(questions.map(({ key }) => key));
    if (Object.keys(given).some((key) => !keys.has(key))) {
      refused(isTerminal(status) ? 'ended' : 'not_asked');
    }
    await engine.answer(caller, taskId, answersTo(questions, given, refused));
    return COMPLETE;
  }
}

/** For clients that declare the extension. */
function declared<P, R>(
  answer: Handler<ServerOrigin, P, R>,
): { readonly answer: Handler<ServerOrigin, P, R> } {
  return {
    answer(params, exchange) {
      if (!declaresTasks(clientCapabilitiesOf(exchange))) throw tasksNotDeclared();
      return answer(params, exchange);
    },
  };
}

/**
 * The responses that answer a question. Throws `-32602` for one that is not what its question asks for: then
 * none is taken, and the questions stay open.
 */
function answersTo(
  questions: readonly InputEntry[],
  given: UpdateTaskRequest['params']['inputResponses'],
  refused: (reason: string) => void,
): Answers {
  const answers = new Map<string, Answers[string]>();
  for (const { key, method, params } of questions) {
    const result = given[key];
    if (result === undefined || !Object.hasOwn(given, key)) continue;
    const problem = answerProblem('ext', method, JSON.parse(params) as JsonObject, result);
    if (problem !== undefined) {
      refused('invalid_params');
      throw rpcError(INVALID_PARAMS, `Invalid inputResponses/${key}: ${problem}`);
    }
    answers.set(key, { result });
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

/** Revisions without sessions. */
export const EXT: DialectModule = {
  name: 'ext',
  serve: serveExt,
  complete: (result, { method }, serverInfo) => completeResult(method, result, serverInfo),
  rows: (parts): BaseRows<'ext'> => ({ ...discoverRows(parts), ...listenRows(parts) }),
};

/**
 * Adds what every result of 2026-07-28 carries: that it is complete, unless it says otherwise, who answered, and for how
 * long it may be kept.
 */
export function completeResult(
  method: string,
  given: JsonObject,
  serverInfo: Implementation,
): JsonObject {
  let result = 'resultType' in given ? given : merged(given, COMPLETE);
  if (
    CACHEABLE.has(method) &&
    result['resultType'] === COMPLETE.resultType &&
    !('ttlMs' in result)
  ) {
    // The server may change at any time.
    result = merged(result, NOT_CACHED);
  }
  const { _meta: meta } = result;
  const own = { [META_KEYS.serverInfo]: serverInfo };
  if (meta === undefined) return merged(result, { _meta: own });
  if (!isObject(meta) || meta[META_KEYS.serverInfo] !== undefined) return result;
  return merged(result, { _meta: merged(meta, own) });
}
