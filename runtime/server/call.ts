import type { Caller, CallerIdentity, JsonObject, Slot, TaskEngine } from '../tasks/index.js';
import { isRpcError, messageOf } from '../tasks/index.js';
import type { AskClient, Asking } from './asks.js';
import { plainControls } from './controls.js';
import type { CallParams, TaskDialect, ToolCallRequest } from './dialects/index.js';
import { INVALID_PARAMS, rpcError } from './errors.js';
import type { ServerExchange } from './origin.js';
import type { RequestContext } from './request-context.js';
import { answerToThrown, resultOf, type StoredCall } from './runs.js';
import type { ServerTool } from './tool.js';

export interface CallParts {
  readonly engine: TaskEngine;
  readonly dialect: TaskDialect;
  readonly tools: ReadonlyMap<string, ServerTool>;
  readonly callerOf: (exchange: ServerExchange) => Caller;
  readonly identityOf: (exchange: ServerExchange) => CallerIdentity | undefined;
  readonly contextOf: (exchange: ServerExchange) => RequestContext;
  readonly askingOf: (exchange: ServerExchange) => Asking;
}

/** Answers `tools/call`: runs the tool, or makes a task of the call. */
export function callTool(
  parts: CallParts,
  params: CallParams,
  exchange: ServerExchange,
): Promise<JsonObject> {
  const { dialect, engine, tools } = parts;
  const tool = find(tools, params.name);
  const caller = parts.callerOf(exchange);
  const call: ToolCallRequest = {
    tool,
    params,
    exchange,
    caller,
    identity: parts.identityOf(exchange),
    context: parts.contextOf(exchange),
    asking: parts.askingOf(exchange),
    request: [params.name, params.arguments],
  };
  if (dialect.becomesTask(call)) {
    return dialect.withQuestions(call, undefined, async (ask) =>
      dialect.createTask(call, await storedCall(call, ask)),
    );
  }
  return engine.call(caller, tool.name, exchange.cancelled, (slot) =>
    plainCall(dialect, call, slot),
  );
}

function find(tools: CallParts['tools'], name: string): ServerTool {
  const tool = tools.get(name);
  if (tool === undefined) throw rpcError(INVALID_PARAMS, `Unknown tool ${JSON.stringify(name)}`);
  return tool;
}

/** Runs the tool now, in a slot of its caller. */
function plainCall(dialect: TaskDialect, call: ToolCallRequest, slot: Slot): Promise<JsonObject> {
  const { tool, exchange, caller, identity, context: request } = call;
  return dialect.withQuestions(call, slot, async (ask) => {
    try {
      const asksOfRun = dialect.questionsOfRun(call, ask);
      const args = await prepared(call, ask);
      const task = plainControls(exchange, caller, asksOfRun);
      return await resultOf(tool, dialect.name, { args, task, caller: identity, request });
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
    return { arguments: args ?? {}, ...asking, ...(refused !== undefined && { refused }) };
  } catch (error) {
    if (isRpcError(error)) throw error;
    return { arguments: params.arguments ?? {}, ...asking, refused: messageOf(error) };
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
