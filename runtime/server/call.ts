import type { ServerContext } from '@modelcontextprotocol/server';

import type { JsonObject, Slot } from '../tasks/index.js';
import { isRpcError, messageOf } from '../tasks/index.js';
import { type Ask, type AskClient, type Asking, asksOf } from './asks.js';
import { plainControls } from './controls.js';
import type { CallParams, Connection, TaskDialect, ToolCallRequest } from './dialects/index.js';
import { INVALID_PARAMS, rpcError } from './errors.js';
import { answerToThrown, resultOf, type StoredCall } from './runs.js';
import { cancellationOf } from './sdk/index.js';
import type { ServerTool } from './tool.js';

export interface CallDependencies extends Pick<Connection, 'engine' | 'callerOf' | 'identityOf'> {
  readonly dialect: TaskDialect;
  readonly tools: ReadonlyMap<string, ServerTool>;
  /** Whether the server cannot identify users, so that none may be asked for input. */
  readonly unidentified: boolean;
  /** See `Asking`. */
  readonly declaredAsks: readonly Ask[] | undefined;
}

/** Answers `tools/call`: runs the tool, or makes a task of the call. */
export async function callTool(
  dependencies: CallDependencies,
  params: CallParams,
  ctx: ServerContext,
): Promise<JsonObject> {
  const { dialect, engine, tools, callerOf } = dependencies;
  const tool = find(tools, params.name);
  const caller = callerOf(ctx);
  const asking = askingOf(dialect.clientCapabilities(ctx), dependencies);
  const identity = dependencies.identityOf(ctx);
  const call: ToolCallRequest = { tool, params, ctx, caller, identity, asking };
  if (dialect.becomesTask(call)) {
    return dialect.withQuestions(call, undefined, async (ask) =>
      dialect.createTask(call, await storedCall(call, ask)),
    );
  }
  return engine.call(caller, tool.name, cancellationOf(ctx), (slot) =>
    plainCall(dialect, call, slot),
  );
}

function find(tools: CallDependencies['tools'], name: string): ServerTool {
  const tool = tools.get(name);
  if (tool === undefined) throw rpcError(INVALID_PARAMS, `Unknown tool ${JSON.stringify(name)}`);
  return tool;
}

function askingOf(capabilities: unknown, { unidentified, declaredAsks }: CallDependencies): Asking {
  return {
    asks: asksOf(capabilities),
    ...(unidentified && { unidentified }),
    ...(declaredAsks && { declared: declaredAsks }),
  };
}

/** Runs the tool now, in a slot of its caller. */
function plainCall(dialect: TaskDialect, call: ToolCallRequest, slot: Slot): Promise<JsonObject> {
  const { tool, ctx, caller, identity } = call;
  return dialect.withQuestions(call, slot, async (ask) => {
    try {
      const asksOfRun = dialect.questionsOfRun(call, ask);
      const args = await prepared(call, ask);
      const task = plainControls(ctx, caller.owner, asksOfRun);
      return await resultOf(tool, dialect.name, { args, task, caller: identity, request: ctx });
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
  { tool, params, ctx, caller, identity }: ToolCallRequest,
  ask: AskClient,
): Promise<unknown> {
  const args = params.arguments;
  if (tool.prepare === undefined) return args;
  const task = plainControls(ctx, caller.owner, ask);
  return tool.prepare({ args, task, caller: identity, request: ctx });
}
