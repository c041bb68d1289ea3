import { type Exchange, type RowsOf, rpcError } from '../peer/index.js';
import { DIALECT_VERSIONS, ERROR_CODES, META_KEYS, METHODS } from '../protocol.js';
import type { JsonObject } from '../tasks/index.js';
import { related } from '../peer/wire/core-task.js';
import { at } from '../peer/wire/json.js';
import type { ResultIn } from '../peer/wire/messages.js';
import { type DeclaredCapabilities, samplingProblem } from './capabilities.js';
import { callError, invalidAnswer } from './errors.js';
import type { Receiver } from './receiver.js';
import type { Asked, InputHandlers, InputHandler, InputRequest, Question } from './types.js';
import type { Watch } from './watch.js';

/** The input requests of one core task: their number, their limit, and their handler. */
export interface CallInputs {
  active: number;
  count: number;
  readonly max: number;
  readonly answer: InputHandler;
  readonly watch: Watch;
}

/**
 * Routes each input request to the call whose task it names, and the others to the default handler, which gets at most
 * `most` of them at a time.
 */
export function inputRouter(
  defaultHandler: InputHandler,
  tasks: ReadonlyMap<string, CallInputs>,
  most: number,
): (request: InputRequest) => Promise<JsonObject> {
  let open = 0;
  async function answerDefault(request: InputRequest): Promise<JsonObject> {
    if (open >= most) {
      const what = `The client answers ${most} requests already (limit openQuestions). Ask again later`;
      throw rpcError(ERROR_CODES.InternalError, what);
    }
    open += 1;
    try {
      return await defaultHandler(request);
    } finally {
      open -= 1;
    }
  }
  return async (request) => {
    const taskId = relatedTask(request);
    const task = taskId === undefined ? undefined : tasks.get(taskId);
    if (task === undefined) return answerDefault(request);
    const signal = AbortSignal.any([request.signal, task.watch.over]);
    return answerFor(task, { ...request, signal, taskId: task.watch.state.taskId });
  };
}

/** The revision in whose types the questions of all sessions are. */
type Core = typeof DIALECT_VERSIONS.core;
type QuestionRows = RowsOf<
  undefined,
  'client',
  'always' | 'elicitation' | 'sampling' | 'roots',
  Core
>;

/**
 * The requests that the client serves, in sessions. The tables of the revision say which of them it has, and which of them
 * need a capability.
 */
export function questionRows(
  handlers: InputHandlers,
  capabilities: DeclaredCapabilities,
  route: (request: InputRequest) => Promise<JsonObject>,
  receiver: Receiver | undefined,
): QuestionRows & Partial<Receiver['rows']> {
  async function answerTo<M extends Question>(
    exchange: Exchange<undefined>,
    method: M,
    params: Asked<M>['params'],
  ): Promise<ResultIn<Core, M>> {
    const request = { method, params, signal: exchange.signal } as InputRequest;
    const answer =
      isAugmented(exchange, params) && receiver?.accepts(method) === true
        ? await receiver.create(method, params)
        : await route(request);
    const taskId = relatedTask(request);
    // The peer checks it by its method.
    return (taskId === undefined ? answer : related(answer, taskId)) as ResultIn<Core, M>;
  }
  return {
    [METHODS.ping]: { answer: () => ({}) },
    [METHODS.elicitationCreate]: {
      answer(params, exchange) {
        assertMode(handlers, params);
        return answerTo(exchange, METHODS.elicitationCreate, params);
      },
    },
    [METHODS.samplingCreateMessage]: {
      answer(params, exchange) {
        assertSampling(capabilities, params, exchange);
        return answerTo(exchange, METHODS.samplingCreateMessage, params);
      },
    },
    [METHODS.rootsList]: {
      answer: (params, exchange) => answerTo(exchange, METHODS.rootsList, params),
    },
    ...receiver?.rows,
  };
}

function isAugmented({ revision, method }: Exchange<undefined>, params: object): boolean {
  return revision.requests[method]?.augmentable === true && 'task' in params;
}

function assertMode(handlers: InputHandlers, { mode }: { readonly mode?: unknown }): void {
  const asked = mode === 'url' ? 'url' : 'form';
  if (handlers[asked] !== undefined) return;
  const what = `The client does not support elicitation mode ${asked}`;
  throw rpcError(ERROR_CODES.InvalidParams, what);
}

/** In the older revisions the models of clients use no tools. */
function assertSampling(
  capabilities: DeclaredCapabilities,
  params: Asked<typeof METHODS.samplingCreateMessage>['params'],
  { revision }: Exchange<undefined>,
): void {
  if (revision.version < DIALECT_VERSIONS.core) return;
  const problem = samplingProblem(capabilities, params);
  if (problem !== undefined) throw rpcError(ERROR_CODES.InvalidParams, problem);
}

/** The task that a request belongs to. The answer has to name the same task. */
function relatedTask({ params }: InputRequest): string | undefined {
  const taskId = at(params, ['_meta', META_KEYS.relatedTask, 'taskId']);
  return typeof taskId === 'string' ? taskId : undefined;
}

async function answerFor(task: CallInputs, request: InputRequest): Promise<JsonObject> {
  task.count += 1;
  if (task.count > task.max) {
    const error = invalidAnswer(
      `The task sent more than ${task.max} input requests (limit inputRequests)`,
    );
    task.watch.fail(error);
    throw error;
  }
  task.active += 1;
  try {
    return await task.answer(request);
  } catch (error) {
    task.watch.fail(callError('input_failed', `The handler of ${request.method} failed`, error));
    throw error;
  } finally {
    task.active -= 1;
  }
}
