import type { ServerContext } from '@modelcontextprotocol/server';

import { META_KEYS } from '../../generated/2026-07-28/protocol.js';
import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import type { Caller, JsonObject, Slot, TaskEngine } from '../tasks/index.js';
import { isRpcError, messageOf, toolErrorResult } from '../tasks/index.js';
import { validAnswer } from './valid-answers.js';
import { type Ask, type Asking, asksOf, assertAskable } from './asks.js';
import { plainControls } from './controls.js';
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  rpcError,
  tasksNotDeclared,
} from './errors.js';
import { anyObject, at, isObject, member } from '../wire/json.js';
import { LONGEST_TIMEOUT } from './requestor.js';
import { type AskClient, multiRoundTrip, type RequestStates } from './multi-round-trip.js';
import { answerToThrown, resultOf, type StoredCall } from './runs.js';
import type { ServerTool } from './tool.js';

/** A `tools/call` whose shape has been checked. */
export interface CallParams {
  readonly name: string;
  readonly arguments?: unknown;
  readonly task?: { readonly ttl?: unknown };
  readonly _meta?: JsonObject;
}

export interface CallDependencies {
  readonly engine: TaskEngine;
  readonly tools: ReadonlyMap<string, ServerTool>;
  readonly requestStates: RequestStates;
  readonly callerOf: (ctx: ServerContext) => Caller;
  /** Whether nothing tells who the users are, so that none may be asked for input. */
  readonly unidentified: boolean;
  /** See `Asking`. */
  readonly declaredAsks: readonly Ask[] | undefined;
}

/** Creates a task and answers the call with it, in the caller's dialect. */
export type Submit = (
  tool: ServerTool,
  call: StoredCall,
  params: CallParams,
) => Promise<JsonObject>;

/** How calls become tasks, for one request. */
export type SubmitFor = (ctx: ServerContext) => Submit;

type CallTool = (params: CallParams, ctx: ServerContext) => Promise<JsonObject>;

/**
 * `tools/call` of the revisions up to 2025-11-25. Where there is no `submitFor`, or it returns nothing,
 * the session has no tasks, and `params.task` is ignored.
 */
export function coreCall(
  dependencies: CallDependencies,
  clientCapabilities: () => unknown,
  submitFor: ((ctx: ServerContext) => Submit | undefined) | undefined,
): CallTool {
  return async (params, ctx) => {
    const tool = find(dependencies.tools, params.name);
    const { owner } = dependencies.callerOf(ctx);
    const asking = askingOf(clientCapabilities(), dependencies);
    const ask: AskClient = async (method, question) => {
      assertAskable(asking, 'core', method, question);
      const request = { method, params: question };
      return validAnswer(method, question, () =>
        ctx.mcpReq.send(request, anyObject, { timeout: LONGEST_TIMEOUT }),
      );
    };
    const submit = submitFor?.(ctx);
    const wanted = submit !== undefined && params.task !== undefined;
    if (wanted && tool.taskSupport === 'forbidden') {
      throw rpcError(METHOD_NOT_FOUND, `Tool ${tool.name} does not run as a task`);
    }
    if (!wanted && tool.taskSupport === 'required') {
      throw rpcError(METHOD_NOT_FOUND, `Tool ${tool.name} runs as a task only`);
    }
    if (!wanted) {
      return inSlot(dependencies, tool, ctx, (slot) => {
        const waiting = outsideSlot(slot, ask);
        return plain(tool, 'core', params.arguments, ctx, owner, waiting, waiting);
      });
    }
    const call = await storedCall(tool, params.arguments, ctx, owner, ask, asking);
    return submit(tool, call, params);
  };
}

/**
 * `tools/call` of revision 2026-07-28: whether it becomes a task is the server's decision. Without
 * `submit` the server does not offer the extension.
 */
export function extCall(
  dependencies: CallDependencies,
  submitFor: SubmitFor | undefined,
): CallTool {
  return async (params, ctx) => {
    const tool = find(dependencies.tools, params.name);
    const { owner } = dependencies.callerOf(ctx);
    const capabilities = requestCapabilities(ctx);
    const asking = askingOf(capabilities, dependencies);
    const submit = submitFor?.(ctx);
    const declared = submit !== undefined && declaresTasks(capabilities);
    if (tool.taskSupport === 'required' && !declared) throw tasksNotDeclared();

    const asTask = declared && tool.taskSupport !== 'forbidden';
    const answer = (work: (ask: AskClient) => Promise<JsonObject>): Promise<JsonObject> =>
      multiRoundTrip(dependencies.requestStates, ctx, [params.name, params.arguments], work);
    const inRound = (work: (ask: AskClient) => Promise<JsonObject>): Promise<JsonObject> =>
      asTask ? answer(work) : inSlot(dependencies, tool, ctx, () => answer(work));

    return inRound(async (ask) => {
      const guarded: AskClient = async (method, question, options) => {
        assertAskable(asking, 'ext', method, question);
        return ask(method, question, options);
      };
      if (!asTask) {
        const running = tool.retryable ? guarded : unrepeatable(tool);
        return plain(tool, 'ext', params.arguments, ctx, owner, guarded, running);
      }
      const call = await storedCall(tool, params.arguments, ctx, owner, guarded, asking);
      // The server decides what becomes a task: a call that has failed already does not.
      if (call.refused !== undefined) return toolErrorResult('ext', call.refused);
      return submit(tool, call, params);
    });
  };
}

/** What the client declares with a request of revision 2026-07-28. */
export function requestCapabilities(ctx: ServerContext): unknown {
  return member(ctx.mcpReq.envelope, META_KEYS.clientCapabilities);
}

/** Whether the request itself declared the tasks extension, whatever others did. */
export function declaresTasks(capabilities: unknown): boolean {
  return isObject(at(capabilities, ['extensions', EXTENSION_ID]));
}

function askingOf(capabilities: unknown, { unidentified, declaredAsks }: CallDependencies): Asking {
  return {
    asks: asksOf(capabilities),
    ...(unidentified && { unidentified }),
    ...(declaredAsks && { declared: declaredAsks }),
  };
}

function find(tools: CallDependencies['tools'], name: string): ServerTool {
  const tool = tools.get(name);
  if (tool === undefined) throw rpcError(INVALID_PARAMS, `Unknown tool ${JSON.stringify(name)}`);
  return tool;
}

/** Runs a call that is no task among its owner's handlers. */
function inSlot(
  { engine, callerOf }: CallDependencies,
  tool: ServerTool,
  ctx: ServerContext,
  work: (slot: Slot) => Promise<JsonObject>,
): Promise<JsonObject> {
  return engine.call(callerOf(ctx), tool.name, ctx.mcpReq.signal, work);
}

/** Gives the slot to others while the call waits for answers. */
function outsideSlot(slot: Slot, ask: AskClient): AskClient {
  let waiting = 0;
  return async (...question) => {
    waiting += 1;
    if (waiting === 1) slot.leave();
    try {
      return await ask(...question);
    } finally {
      waiting -= 1;
      if (waiting === 0) await new Promise<void>((resolve) => slot.enter(resolve));
    }
  };
}

async function prepared(
  tool: ServerTool,
  args: unknown,
  ctx: ServerContext,
  owner: string,
  ask: AskClient,
): Promise<unknown> {
  if (tool.prepare === undefined) return args;
  return tool.prepare({ args, task: plainControls(ctx, owner, ask), request: ctx });
}

/**
 * What a task keeps of a call. Arguments that the tool cannot use are no fault of the request: as in a
 * plain call, they make a result with `isError`, which the model can read.
 */
async function storedCall(
  tool: ServerTool,
  given: unknown,
  ctx: ServerContext,
  owner: string,
  ask: AskClient,
  asking: Asking,
): Promise<StoredCall> {
  try {
    const args = await prepared(tool, given, ctx, owner, ask);
    const refused = await tool.validationError(args);
    return { ...asking, arguments: args ?? {}, ...(refused !== undefined && { refused }) };
  } catch (error) {
    if (isRpcError(error)) throw error;
    return { ...asking, arguments: given ?? {}, refused: messageOf(error) };
  }
}

async function plain(
  tool: ServerTool,
  dialect: Caller['dialect'],
  given: unknown,
  ctx: ServerContext,
  owner: string,
  askBefore: AskClient,
  ask: AskClient,
): Promise<JsonObject> {
  try {
    const args = await prepared(tool, given, ctx, owner, askBefore);
    return await resultOf(tool, dialect, args, plainControls(ctx, owner, ask), ctx);
  } catch (error) {
    return answerToThrown(dialect, error);
  }
}

/** A run that would have to start again for the answer, of a tool that must not. */
function unrepeatable(tool: ServerTool): AskClient {
  return () =>
    Promise.reject(
      tool.taskSupport === 'forbidden'
        ? rpcError(INTERNAL_ERROR, `Tool ${tool.name} asks for input but is not retryable`)
        : tasksNotDeclared(),
    );
}
