import { ERROR_CODES, METHODS } from '../protocol.js';
import { taskError, TaskError } from './errors.js';
import { encode, isObject } from './json.js';
import type { TaskLimits } from './limits.js';
import {
  type Dialect,
  DIALECTS,
  type JsonObject,
  type RpcError,
  type TaskSummary,
} from './record.js';
import type { Patch } from './transitions.js';

type OutcomeLimits = Pick<TaskLimits, 'resultBytes' | 'statusMessageChars'>;

/** How a task ends whose handler returned `value`. */
export function settleReturned(task: TaskSummary, value: unknown, limits: OutcomeLimits): Patch {
  const encoded = encode(value, limits.resultBytes);
  if ('problem' in encoded) {
    const { problem, detail } = encoded;
    return failed(taskError('invalid_result', `The result is ${problem}: ${detail}`), limits);
  }
  if (!encoded.text.startsWith('{')) {
    return failed(taskError('invalid_result', 'The result is not an object'), limits);
  }
  const outcome = `{"result":${encoded.text}}`;
  const errorText = task.method === METHODS.toolsCall ? toolError(encoded.text) : undefined;
  if (errorText === undefined) return { status: 'completed', outcome };
  return {
    status: DIALECTS[task.dialect].toolErrorStatus,
    outcome,
    statusMessage: errorText.slice(0, limits.statusMessageChars),
  };
}

/**
 * How a task ends whose handler threw.
 *
 * A JSON-RPC error stays what it is. Anything else becomes what a plain call would have become: for a
 * tool a result with `isError`, which the model can read; for other requests an internal error.
 */
export function settleThrown(task: TaskSummary, error: unknown, limits: OutcomeLimits): Patch {
  if (isRpcError(error)) return failed(error, limits);
  return task.method === METHODS.toolsCall
    ? settleReturned(task, toolErrorResult(task.dialect, error), limits)
    : failed({ code: ERROR_CODES.InternalError, message: messageOf(error) }, limits);
}

/** The result of a tool that threw, in the shape of the dialect: for the model to read. */
export function toolErrorResult(dialect: Dialect, error: unknown) {
  const content = [{ type: 'text' as const, text: messageOf(error) }];
  return { ...DIALECTS[dialect].resultFields, content, isError: true };
}

export function failed(error: RpcError, limits: OutcomeLimits): Patch {
  const { code, data } = error;
  const message = error.message.slice(0, limits.resultBytes);
  const encoded = data === undefined ? undefined : encode(data, limits.resultBytes);
  const head = JSON.stringify({ code, message }).slice(0, -1);
  const tail = encoded !== undefined && 'text' in encoded ? `,"data":${encoded.text}}` : '}';
  return {
    status: 'failed',
    outcome: `{"error":${head}${tail}}`,
    statusMessage: message.slice(0, limits.statusMessageChars),
  };
}

/**
 * Only negative codes count, unless the error is our own: exit codes of child processes and the codes
 * of DOM exceptions are small positive numbers under the same name.
 */
export function isRpcError(error: unknown): error is RpcError {
  if (error instanceof TaskError) return true;
  if (typeof error !== 'object' || error === null) return false;
  try {
    const { code, message } = error as Partial<RpcError>;
    return Number.isSafeInteger(code) && Number(code) < 0 && typeof message === 'string';
  } catch {
    return false;
  }
}

export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'Unknown error';
  }
}

export function noHandler(task: TaskSummary): TaskError {
  return taskError('no_handler', `Nothing here runs ${task.tool ?? task.method}`);
}

/** The error text of a tool result with `isError`; undefined for other results. */
function toolError(text: string): string | undefined {
  // Most results have no such flag, and parsing each of them would double the work.
  if (!text.includes('"isError":true')) return undefined;
  const result = JSON.parse(text) as JsonObject;
  if (result['isError'] !== true) return undefined;
  const content: unknown[] = Array.isArray(result['content']) ? result['content'] : [];
  const first = content.find((block) => isObject(block) && typeof block['text'] === 'string');
  return isObject(first) ? String(first['text']) : 'The tool reported an error';
}
