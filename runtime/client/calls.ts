import { ERROR_CODES, METHODS } from '../protocol.js';
import type { Dialect, JsonObject } from '../tasks/index.js';
import { isObject } from '../peer/wire/json.js';
import { cancel } from './core.js';
import { asCallError, CallError, invalidAnswer, withReference } from './errors.js';
import type { InputRequests } from './input-requests.js';
import type { Link } from './link.js';
import { formatReference } from './reference.js';
import { roundTrips } from './round-trips.js';
import { createdTask, taskIdIn, toolResult } from './states.js';
import type { Stop } from './stop.js';
import type { ToolListing } from './tools.js';
import type { ToolResult } from './types.js';

/** The server's answer to `tools/call`: a result or a created task. */
export type CallAnswer = { readonly result: ToolResult } | ReturnType<typeof createdTask>;

export type CallRequest = {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly _meta: JsonObject;
  /** Requests a task, in the core dialect. */
  readonly task?: { readonly ttl?: number };
};

/** What `sendCall` needs of the connection. */
export interface CallSender {
  readonly link: Link;
  readonly tools: ToolListing;
  /** Whether the client declares the tasks extension. */
  readonly acceptsTasks: boolean;
}

/**
 * Sends `tools/call` and answers the input requests that precede its result. Rejects with a `CallError`.
 *
 * Cancels a task that the server creates after the caller stopped the call.
 */
export async function sendCall(
  sender: CallSender,
  request: CallRequest,
  inputs: InputRequests,
  stop: Stop,
): Promise<CallAnswer> {
  const { dialect } = sender.link;
  const answer = await roundTrips(
    (more) => Promise.race([send(sender, { ...request, ...more }, stop), stop.reached]),
    inputs,
    stop,
  );
  if (!isTask(dialect, answer)) return { result: toolResult(dialect, answer) };
  try {
    const unasked = unaskedTask(sender, request);
    if (unasked !== undefined) throw invalidAnswer(`The server created a task${unasked}`);
    return createdTask(dialect, answer);
  } catch (error) {
    const taskId = taskIdIn(dialect, answer);
    const reference = taskId && formatReference({ dialect, taskId, tool: request.name });
    throw withReference(asCallError(error), reference);
  }
}

/** Why no task may be created, as the end of a sentence. */
function unaskedTask(
  { link, acceptsTasks }: CallSender,
  { task }: CallRequest,
): string | undefined {
  if (link.dialect === 'core')
    return task === undefined ? ' for a call without params.task' : undefined;
  return acceptsTasks ? undefined : ', but the client does not declare the tasks extension';
}

function isTask(dialect: Dialect, { task, resultType }: JsonObject): boolean {
  return dialect === 'core' ? isObject(task) : resultType === 'task';
}

/** Sends a call with the headers of its tool. Lists the tools and retries once when the headers changed. */
async function send(sender: CallSender, params: CallRequest, stop: Stop): Promise<JsonObject> {
  try {
    return await sendOnce(sender, params, stop);
  } catch (error) {
    if (!isHeaderMismatch(error)) throw error;
    sender.tools.forget();
    await sender.tools.all();
    return sendOnce(sender, params, stop);
  }
}

function isHeaderMismatch(error: unknown): boolean {
  if (!(error instanceof CallError)) return false;
  const { failure } = error;
  return failure.reason === 'rpc_error' && failure.error.code === ERROR_CODES.HeaderMismatch;
}

async function sendOnce(
  { link, tools }: CallSender,
  params: CallRequest,
  stop: Stop,
): Promise<JsonObject> {
  const abandon = (answer: JsonObject): void => abandonTask(link, answer);
  // Withdrawing the request sends notifications/cancelled, which must not cancel a task.
  const withdrawable = params.task === undefined && { signal: stop.signal, onLate: abandon };
  const answer = await link.ask(METHODS.toolsCall, params, {
    // `toolResult` and `createdTask` check it.
    checksItself: true,
    headers: tools.headersOf(params.name, params.arguments),
    ...withdrawable,
  });
  if (stop.signal.aborted) abandon(answer);
  return answer;
}

/** Cancels a task whose call has been stopped, because no reference to it exists. */
function abandonTask(link: Link, answer: JsonObject): void {
  const taskId = isTask(link.dialect, answer) ? taskIdIn(link.dialect, answer) : undefined;
  if (taskId !== undefined) cancel(link, taskId).catch(() => undefined);
}
