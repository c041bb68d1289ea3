import { type Client, ProtocolError } from '@modelcontextprotocol/client';

import { ERROR_CODES } from '../protocol/index.js';
import type { JsonObject } from '../tasks/index.js';
import { cancel } from './core.js';
import { asCallError, CallError, callError, invalidAnswer } from './errors.js';
import { inputRequiredOf } from './ext.js';
import { type Link, LONGEST_TIMEOUT } from './link.js';
import type { InputRequests } from './input-requests.js';
import { createdTask, toolResult } from './states.js';
import type { Stop } from './stop.js';
import type { ToolListing } from './tools.js';
import type { TaskState, ToolResult } from './types.js';
import { TICKET, type Ticket, UnsupportedResult } from './wire.js';

/** The server's answer to `tools/call`: a result or a created task. */
export type CallAnswer =
  | { readonly result: ToolResult }
  | { readonly task: TaskState; readonly meta: JsonObject | undefined };

export interface CallRequest {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly _meta: JsonObject;
  /** Requests a task, in the core dialect. */
  readonly task?: { readonly ttl?: number };
}

/** Round trips of one call, each answered with `input_required`, before the call fails. */
const MAX_ROUND_TRIPS = 32;
/** Milliseconds before the next round trip when the answer contained no input request. */
const PAUSE = 250;

/** What `sendCall` needs of the connection. */
export interface CallSender {
  readonly client: Client;
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
  const { link, acceptsTasks } = sender;
  let params: CallRequest = request;
  for (let roundTrip = 0; roundTrip < MAX_ROUND_TRIPS; roundTrip += 1) {
    const sent = send(sender, params, stop);
    const answer = await Promise.race([sent, stop.reached]);
    if ('result' in answer) return answer;
    const { dialect } = link;
    if (dialect === 'core') {
      if (request.task === undefined)
        throw invalidAnswer('The server created a task for a call without params.task');
      return { task: createdTask('core', answer.unsupported), meta: metaOf(answer.unsupported) };
    }
    if (answer.unsupported['resultType'] === 'task') {
      if (!acceptsTasks)
        throw invalidAnswer(
          'The server created a task, but the client does not declare the tasks extension',
        );
      return { task: createdTask('ext', answer.unsupported), meta: metaOf(answer.unsupported) };
    }
    params = {
      ...request,
      ...(await answerInputRequests(answer.unsupported, roundTrip, inputs, stop)),
    };
  }
  throw invalidAnswer(`The server answered input_required ${MAX_ROUND_TRIPS} times in a row`);
}

type Sent = { readonly result: ToolResult } | { readonly unsupported: JsonObject };

/** Sends a call with the headers of its tool. Lists the tools and retries once when the headers changed. */
async function send(sender: CallSender, params: CallRequest, stop: Stop): Promise<Sent> {
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
  { client, link, tools }: CallSender,
  params: CallRequest,
  stop: Stop,
): Promise<Sent> {
  const { dialect } = link;
  const augmented = params.task !== undefined;
  const ticket: Ticket = {
    augmented,
    answered: 'nothing',
    onLate: (answer) => abandon(link, answer),
  };
  const _meta = { ...params._meta, [TICKET]: ticket };
  try {
    // Aborting the request would send notifications/cancelled, which must not cancel a task.
    const options = {
      timeout: LONGEST_TIMEOUT,
      toolDefinition: tools.forCall(params.name),
      ...(!augmented && { signal: stop.signal }),
    };
    const result = await client.callTool({ ...params, _meta }, options);
    return { result: toolResult(dialect, result) };
  } catch (error) {
    if (error instanceof ProtocolError && error.data instanceof UnsupportedResult) {
      const { result } = error.data;
      if (stop.signal.aborted) abandon(link, result);
      return { unsupported: result };
    }
    // The SDK rejected the result.
    if (error instanceof ProtocolError && ticket.answered !== 'error') {
      throw callError('invalid_answer', error.message, error);
    }
    throw asCallError(error);
  }
}

/** Cancels a task whose call has been stopped, because no reference to it exists. */
function abandon(link: Link, answer: JsonObject): void {
  try {
    const { dialect } = link;
    if (dialect === 'ext' && answer['resultType'] !== 'task') return;
    cancel(link, createdTask(dialect, answer).taskId).catch(() => undefined);
  } catch {
    // The answer contains no valid task.
  }
}

/** Answers one `input_required` result. Resolves with the params for the next round trip. */
async function answerInputRequests(
  answer: JsonObject,
  roundTrip: number,
  inputs: InputRequests,
  stop: Stop,
): Promise<JsonObject> {
  const { inputRequests, requestState } = inputRequiredOf(answer);
  // Keys are unique within a round trip only.
  const keys = inputs.unseen(inputRequests, `${roundTrip}:`);
  if (keys.length === 0) await new Promise((resolve) => setTimeout(resolve, PAUSE));
  const failed = new AbortController();
  const signal = AbortSignal.any([stop.signal, failed.signal]);
  try {
    const answers = await Promise.race([
      Promise.all(
        keys.map(async (key) => [key, await inputs.answer(key, inputRequests[key], signal)]),
      ),
      stop.reached,
    ]);
    return {
      ...(keys.length > 0 && { inputResponses: Object.fromEntries(answers) as JsonObject }),
      ...(requestState !== undefined && { requestState }),
    };
  } catch (error) {
    failed.abort(error);
    throw error;
  }
}

function metaOf({ _meta }: JsonObject): JsonObject | undefined {
  return _meta as JsonObject | undefined;
}
