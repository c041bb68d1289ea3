import type { CallToolResult } from '../../../generated/2025-11-25/types.js';
import { METHODS } from '../../protocol.js';
import {
  type Dialect,
  DIALECTS,
  isRpcError,
  type JsonObject,
  merged,
  messageOf,
  type Slot,
  type TaskError,
  taskError,
  type TaskHandler,
  type TaskSummary,
  toolErrorResult,
} from '../../tasks/index.js';
import { beginningOf, isObject } from '../../peer/wire/json.js';
import type { Frozen } from '../../peer/wire/messages.js';
import { mediaFault, dialectRevision } from '../../peer/wire/revision.js';
import { wrappedResult } from '../../peer/wire/wrapped-result.js';
import type { AskClient } from '../asks.js';
import { hasOwnTasks } from '../capabilities.js';
import { guardedControls, plainControls, RequestContext } from '../controls.js';
import type {
  StoredCall,
  CallAnswer,
  CallParams,
  TaskDialect,
  ToolCallRequest,
  Endpoint,
  TaskTools,
} from '../endpoint.js';
import { INTERNAL_ERROR, INVALID_PARAMS, rpcError } from '../errors.js';
import type { FeatureRows, ServerExchange } from '../session.js';
import {
  InvalidArguments,
  type ListedTool,
  listingIn,
  type ServerTool,
  type ToolCall,
} from '../tool.js';
import { createPages, type Pages } from './pages.js';

/** `tools/list` and `tools/call`. */
export function toolRows(endpoint: Endpoint): FeatureRows<'tools'> {
  const tools = [...endpoint.tools.values()];
  const isSession = endpoint.dialect.name === 'core';
  const pagesOf = (listings: readonly ListedTool[]): Pages<ListedTool> =>
    createPages(listings, endpoint.pageSize);
  // Only sessions of a revision with tasks read `execution`.
  const own = {
    plain: pagesOf(tools.map((tool) => listingIn(tool, endpoint.dialect.name))),
    withSupport: pagesOf(
      tools.map(({ listing, taskSupport }) => ({ ...listing, execution: { taskSupport } })),
    ),
  };
  const taskTools = endpoint.taskTools?.make(
    endpoint.engine,
    endpoint.dialect.name,
    endpoint.serves.tasks,
  );
  const taskless = taskTools && {
    plain: pagesOf(taskTools.listings(false)),
    withSupport: pagesOf(taskTools.listings(true)),
  };
  return {
    [METHODS.toolsList]: {
      answer({ cursor }, exchange) {
        const hasSupport =
          isSession && endpoint.serves.tasks && hasOwnTasks(exchange.revision.version);
        const lists = taskless !== undefined && taskTools?.serves(exchange) ? taskless : own;
        return (hasSupport ? lists.withSupport : lists.plain).answer('tools', cursor);
      },
    },
    [METHODS.toolsCall]: {
      answer: (params, exchange) => callTool(endpoint, taskTools, params, exchange),
    },
  };
}

/** Answers `tools/call`: runs the tool, or makes a task of the call. */
function callTool(
  endpoint: Endpoint,
  taskTools: TaskTools | undefined,
  params: CallParams,
  exchange: ServerExchange,
): Promise<CallAnswer> {
  const { dialect, engine, tools, identityOf, logging, askingOf } = endpoint;
  const caller = endpoint.callerOf(exchange);
  const aboutTask = taskTools?.own(params.name, params.arguments, caller, exchange);
  if (aboutTask !== undefined) return aboutTask;
  const tool = find(tools, params.name);
  const call: ToolCallRequest = {
    tool,
    params,
    exchange,
    caller,
    identity: identityOf(exchange),
    context: new RequestContext(exchange, logging),
    asking: () => askingOf(exchange),
    request: [params.name, params.arguments],
  };
  if (taskTools?.takes(call) === true) {
    const asked = { ...call, asking: () => taskTools.asking(call.asking()) };
    return dialect.withQuestions(call, undefined, async (ask) =>
      taskTools.call(call, await storedCall(asked, ask)),
    );
  }
  if (dialect.becomesTask(call)) {
    return dialect.withQuestions(call, undefined, async (ask) =>
      dialect.createTask(call, await storedCall(call, ask)),
    );
  }
  return engine.call(caller, tool.name, exchange.cancelled, (slot) =>
    plainCall(dialect, call, slot),
  );
}

function find(tools: Endpoint['tools'], name: string): ServerTool {
  const tool = tools.get(name);
  if (tool !== undefined) return tool;
  throw rpcError(INVALID_PARAMS, `Unknown tool ${JSON.stringify(beginningOf(name))}`);
}

/** Runs the tool now, in a slot of its caller. */
function plainCall(dialect: TaskDialect, call: ToolCallRequest, slot: Slot): Promise<CallAnswer> {
  const { tool, exchange, caller, identity, context: request } = call;
  return dialect.withQuestions(call, slot, async (ask) => {
    try {
      const asksOfRun = dialect.questionsOfRun(call, ask);
      const args = await prepared(call, ask);
      const task = plainControls(exchange, caller, asksOfRun);
      const result = await resultOf(tool, dialect.name, { args, task, caller: identity, request });
      // What goes to older revisions is changed, and checked then.
      if (exchange.revision === dialectRevision(dialect.name)) exchange.checked = result;
      return result;
    } catch (error) {
      return answerToThrown(dialect.name, error);
    }
  });
}

/**
 * What a task keeps of a call. Arguments that the tool cannot use are no fault of the request: as in a
 * plain call, they make a result with `isError`, which the model can read.
 */
async function storedCall(call: ToolCallRequest, ask: AskClient): Promise<StoredCall> {
  const { tool, params, asking } = call;
  try {
    const args = await prepared(call, ask);
    const refused = await tool.validationError(args);
    return { arguments: args ?? {}, ...asking(), ...(refused && { refused: refused.message }) };
  } catch (error) {
    if (isRpcError(error)) throw error;
    return { arguments: params.arguments ?? {}, ...asking(), refused: messageOf(error) };
  }
}

/** The arguments, completed by the tool's `prepare`. */
async function prepared(
  { tool, params, exchange, caller, identity, context: request }: ToolCallRequest,
  ask: AskClient,
): Promise<unknown> {
  const args = params.arguments;
  if (tool.prepare === undefined) return args;
  const task = plainControls(exchange, caller, ask);
  return tool.prepare({ args, task, caller: identity, request });
}

/** A tool as the engine runs it. `load` loads what the tasks of a dialect need. */
export function handlerOf(
  tool: ServerTool,
  { dialect }: TaskSummary,
  load: (dialect: Dialect) => Promise<void>,
): TaskHandler {
  return {
    retryable: tool.retryable,
    steps: tool.steps,
    async refuses(args) {
      const call = args as StoredCall;
      // They were refused when the task was created: `run` says so.
      if (call.refused !== undefined) return undefined;
      const refused = await tool.validationError(call.arguments);
      return (
        refused && `this version of the tool refuses its stored arguments at ${refused.places}`
      );
    },
    async run({ args, task, caller }) {
      // Only this room creates tasks of this server, and it stores this.
      const call = args as StoredCall;
      if (call.refused !== undefined) throw new Error(call.refused);
      await load(dialect);
      const controls = guardedControls(task, dialect, call);
      try {
        return await resultOf(tool, dialect, { args: call.arguments, task: controls, caller });
      } catch (error) {
        throw error instanceof InvalidArguments ? staleArguments(error) : error;
      }
    },
  };
}

/** The arguments were checked when the task was created: the client is not at fault. */
function staleArguments({ message }: InvalidArguments): TaskError {
  return taskError(
    'stale_arguments',
    `The arguments of this task were valid when it was created. A deploy of the server has changed its tool since: ${message}`,
  );
}

/**
 * Runs a tool and returns its result in the shape of the dialect's revision.
 *
 * Throws what the tool threw, and an error that names the field if the result is not valid.
 */
async function resultOf(
  tool: ServerTool,
  dialect: Dialect,
  call: Omit<ToolCall<unknown>, 'request'> & Partial<Pick<ToolCall<unknown>, 'request'>>,
): Promise<Frozen<CallToolResult>> {
  const returned: unknown = await tool.run({ request: undefined, ...call });
  // What is no object stays what it is, for the check to refuse.
  const result = isObject(returned) ? ofDialect(returned, dialect, tool.wrapsResults) : returned;
  const problem =
    dialectRevision(dialect).checkToolResult(result) ?? mediaFault(METHODS.toolsCall, result);
  if (problem === undefined) return result as CallToolResult;
  throw rpcError(
    INTERNAL_ERROR,
    `Tool ${tool.name} returned an invalid result: ${problem.message}`,
  );
}

/** A tool does not say what kind of result it returns: a session's client would take `resultType` for it. */
function ofDialect(returned: JsonObject, dialect: Dialect, wraps: boolean): JsonObject {
  if (wraps && dialect === 'core') return wrappedResult(returned);
  if (!('resultType' in returned)) {
    return dialect === 'core' ? returned : merged(returned, DIALECTS[dialect].resultFields);
  }
  const { resultType: _, ...own } = returned;
  return merged(own, DIALECTS[dialect].resultFields);
}

/** A plain call's answer for what a tool threw: JSON-RPC errors stay, the rest is for the model to read. */
function answerToThrown(dialect: Dialect, error: unknown): Frozen<CallToolResult> {
  // Errors of tools pass as they are.
  // eslint-disable-next-line @typescript-eslint/only-throw-error
  if (isRpcError(error)) throw error;
  return toolErrorResult(dialect, error);
}
