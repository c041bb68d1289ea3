import { type Exchange, type Row, type Rows, rpcError } from '../peer/index.js';
import { DIALECT_VERSIONS, ERROR_CODES, META_KEYS, METHODS } from '../protocol.js';
import type { JsonObject } from '../tasks/index.js';
import { related } from '../peer/wire/core-task.js';
import { at } from '../peer/wire/json.js';
import { type DeclaredCapabilities, samplingProblem } from './capabilities.js';
import { callError, invalidAnswer } from './errors.js';
import type { Receiver } from './receiver.js';
import type { InputHandlers, InputHandler, InputRequest } from './types.js';
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
    const taskId = relatedTask(request.params);
    const task = taskId === undefined ? undefined : tasks.get(taskId);
    if (task === undefined) return answerDefault(request);
    const signal = AbortSignal.any([request.signal, task.watch.over]);
    return answerFor(task, { ...request, signal, taskId: task.watch.state.taskId });
  };
}

/** The requests that the client serves, in sessions. The tables of the revision say which of them it has. */
export function questionRows(
  handlers: InputHandlers,
  capabilities: DeclaredCapabilities,
  route: (request: InputRequest) => Promise<JsonObject>,
  receiver: Receiver | undefined,
): Rows<undefined> {
  const row = (method: InputRequest['method']): Row<undefined> => ({
    async answer(params, exchange) {
      assertMode(handlers, method, params);
      if (method === METHODS.samplingCreateMessage) assertSampling(capabilities, params, exchange);
      const isTask = isAugmented(exchange, params) && receiver?.accepts(method) === true;
      const answer = isTask
        ? await receiver.create(method, params)
        : await route({ method, params, signal: exchange.signal });
      const taskId = relatedTask(params);
      return taskId === undefined ? answer : related(answer, taskId);
    },
  });
  return {
    [METHODS.ping]: { answer: () => ({}) },
    ...((handlers.form ?? handlers.url) && {
      [METHODS.elicitationCreate]: row(METHODS.elicitationCreate),
    }),
    ...(handlers.sampling && {
      [METHODS.samplingCreateMessage]: row(METHODS.samplingCreateMessage),
    }),
    ...(handlers.roots && { [METHODS.rootsList]: row(METHODS.rootsList) }),
    ...receiver?.rows,
  };
}

function isAugmented({ revision, method }: Exchange<undefined>, { task }: JsonObject): boolean {
  return revision.requests[method]?.augmentable === true && task !== undefined;
}

function assertMode(handlers: InputHandlers, method: string, params: JsonObject): void {
  if (method !== METHODS.elicitationCreate) return;
  const mode = params['mode'] === 'url' ? 'url' : 'form';
  if (handlers[mode] !== undefined) return;
  const what = `The client does not support elicitation mode ${mode}`;
  throw rpcError(ERROR_CODES.InvalidParams, what);
}

/** In the older revisions the models of clients use no tools. */
function assertSampling(
  capabilities: DeclaredCapabilities,
  params: JsonObject,
  { revision }: Exchange<undefined>,
): void {
  if (revision.version < DIALECT_VERSIONS.core) return;
  const problem = samplingProblem(capabilities, params);
  if (problem !== undefined) throw rpcError(ERROR_CODES.InvalidParams, problem);
}

/** The task that a request belongs to. The answer has to name the same task. */
function relatedTask(params: JsonObject): string | undefined {
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
