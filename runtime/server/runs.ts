import type {
  Dialect,
  JsonObject,
  TaskControls,
  TaskHandler,
  TaskSummary,
} from '../tasks/index.js';
import type { Ask } from './asks.js';
import { guardedControls } from './controls.js';
import { INTERNAL_ERROR, messageOf, rpcError } from './errors.js';
import { isObject } from '../wire/json.js';
import { DIALECT_REVISIONS } from '../wire/revisions.js';
import type { ServerTool, ToolCall } from './tool.js';

/** What a task keeps for its handler. */
export interface StoredCall {
  readonly arguments: unknown;
  /** What the client that created the task can be asked. */
  readonly asks: readonly Ask[];
}

/** A tool as the engine runs it. */
export function handlerOf(tool: ServerTool, { dialect }: TaskSummary): TaskHandler {
  return {
    rerunnable: tool.rerunnable,
    async run({ args, task }) {
      // Only this room creates tasks of this server, and it stores this.
      const { arguments: given, asks } = args as StoredCall;
      return resultOf(tool, dialect, given, guardedControls(task, asks));
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
  args: unknown,
  task: TaskControls,
  request?: ToolCall<unknown>['request'],
): Promise<JsonObject> {
  const returned = await tool.run({ args, task, request });
  const result = dialect === 'ext' ? { resultType: 'complete', ...returned } : returned;
  const problem = DIALECT_REVISIONS[dialect].checkToolResult(result);
  if (problem === undefined) return result;
  throw rpcError(
    INTERNAL_ERROR,
    `Tool ${tool.name} returned an invalid result: ${problem.message}`,
  );
}

/** A plain call's answer for what a tool threw: JSON-RPC errors stay, the rest is for the model to read. */
export function answerToThrown(error: unknown): JsonObject {
  if (isRpcError(error)) throw error;
  return { content: [{ type: 'text', text: messageOf(error) }], isError: true };
}

/** Positive codes are those of processes and of the DOM. */
function isRpcError(error: unknown): error is Error {
  if (!isObject(error)) return false;
  return Number.isSafeInteger(error['code']) && Number(error['code']) < 0;
}
