import type { Dialect, JsonObject, TaskHandler, TaskSummary } from '../tasks/index.js';
import { DIALECTS, isRpcError, merged, toolErrorResult } from '../tasks/index.js';
import type { Asking } from './asks.js';
import { guardedControls } from './controls.js';
import { INTERNAL_ERROR, rpcError } from './errors.js';
import { isObject } from '../wire/json.js';
import { dialectRevision } from '../wire/revisions.js';
import type { ServerTool, ToolCall } from './tool.js';

/** What a task keeps for its handler; whom it may ask is the client that created it. */
export interface StoredCall extends Asking {
  readonly arguments: unknown;
  /** Why the arguments cannot be used: the task ends with it, and the tool does not run. */
  readonly refused?: string;
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
    async run({ args, task, caller }) {
      // Only this room creates tasks of this server, and it stores this.
      const call = args as StoredCall;
      if (call.refused !== undefined) throw new Error(call.refused);
      await load(dialect);
      const controls = guardedControls(task, dialect, call);
      return resultOf(tool, dialect, { args: call.arguments, task: controls, caller });
    },
  };
}

/**
 * Runs a tool and returns its result in the shape of the dialect's revision.
 *
 * Throws what the tool threw, and an error that names the field if the result is not valid.
 */
export async function resultOf(
  tool: ServerTool,
  dialect: Dialect,
  call: Omit<ToolCall<unknown>, 'request'> & Partial<Pick<ToolCall<unknown>, 'request'>>,
): Promise<JsonObject> {
  const returned: unknown = await tool.run({ request: undefined, ...call });
  // What is no object stays what it is, for the check to refuse.
  const result = isObject(returned) ? ofDialect(returned, dialect) : returned;
  const problem = dialectRevision(dialect).checkToolResult(result);
  if (problem === undefined) return result as JsonObject;
  throw rpcError(
    INTERNAL_ERROR,
    `Tool ${tool.name} returned an invalid result: ${problem.message}`,
  );
}

/** A tool does not say what kind of result it returns: a session's client would take `resultType` for it. */
function ofDialect(returned: JsonObject, dialect: Dialect): JsonObject {
  const { resultFields } = DIALECTS[dialect];
  if (!('resultType' in returned)) return merged(returned, resultFields);
  const { resultType: _, ...own } = returned;
  return merged(own, resultFields);
}

/** A plain call's answer for what a tool threw: JSON-RPC errors stay, the rest is for the model to read. */
export function answerToThrown(dialect: Dialect, error: unknown): JsonObject {
  // Errors of tools pass as they are.
  // eslint-disable-next-line @typescript-eslint/only-throw-error
  if (isRpcError(error)) throw error;
  return toolErrorResult(dialect, error);
}
