import { type Client, ProtocolError } from '@modelcontextprotocol/client';

import { ERROR_CODES } from '../../generated/2026-07-28/protocol.js';
import type { JsonObject } from '../tasks/index.js';
import { cancel } from './core.js';
import { asCallError, CallError, callError, invalidAnswer } from './errors.js';
import { roundOf } from './ext.js';
import { type Link, LONGEST_TIMEOUT } from './link.js';
import type { Questions } from './questions.js';
import { createdTask, toolResult } from './states.js';
import type { Stop } from './stop.js';
import type { ToolListing } from './tools.js';
import type { TaskState, ToolResult } from './types.js';
import { TICKET, type Ticket, Unusual } from './wire.js';

/** What came of asking for a call. */
export type CallAnswer =
  | { readonly result: ToolResult }
  | { readonly task: TaskState; readonly meta: JsonObject | undefined };

export interface CallRequest {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly _meta: JsonObject;
  /** Asks for a task, in the core dialect. */
  readonly task?: { readonly ttl?: number };
}

/** Rounds of questions before the answer; with as many left open, the server wants no end. */
const ROUNDS = 32;
/** Milliseconds before a round that asks nothing. */
const PAUSE = 250;

/** What a call is sent with. */
export interface Placing {
  readonly client: Client;
  readonly link: Link;
  readonly tools: ToolListing;
  /** Whether the client declares the tasks extension. */
  readonly acceptsTasks: boolean;
}

/**
 * Sends a call, and answers what is asked before it is answered. Rejects with a `CallError`.
 *
 * A task that comes after the call was given up is cancelled.
 */
export async function place(
  placing: Placing,
  request: CallRequest,
  questions: Questions,
  stop: Stop,
): Promise<CallAnswer> {
  const { link, acceptsTasks } = placing;
  let params: CallRequest = request;
  for (let round = 0; round < ROUNDS; round += 1) {
    const sent = send(placing, params, stop);
    const answer = await Promise.race([sent, stop.reached]);
    if ('result' in answer) return answer;
    const { dialect } = link;
    if (dialect === 'core') {
      if (request.task === undefined) throw invalidAnswer('A task came that was not asked for');
      return { task: createdTask('core', answer.unusual), meta: metaOf(answer.unusual) };
    }
    if (answer.unusual['resultType'] === 'task') {
      if (!acceptsTasks) throw invalidAnswer('A task came, and tasks were not declared');
      return { task: createdTask('ext', answer.unusual), meta: metaOf(answer.unusual) };
    }
    params = { ...request, ...(await settled(answer.unusual, round, questions, stop)) };
  }
  throw invalidAnswer(`The server asks on after ${ROUNDS} rounds`);
}

type Sent = { readonly result: ToolResult } | { readonly unusual: JsonObject };

/** Sends a call with the headers that its tool wants; once more when these have changed. */
async function send(placing: Placing, params: CallRequest, stop: Stop): Promise<Sent> {
  try {
    return await sendOnce(placing, params, stop);
  } catch (error) {
    if (!isHeaderMismatch(error)) throw error;
    placing.tools.forget();
    await placing.tools.all();
    return sendOnce(placing, params, stop);
  }
}

function isHeaderMismatch(error: unknown): boolean {
  if (!(error instanceof CallError)) return false;
  const { failure } = error;
  return failure.reason === 'rpc_error' && failure.error.code === ERROR_CODES.HeaderMismatch;
}

async function sendOnce(
  { client, link, tools }: Placing,
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
    // Stopping a request would tell the server to cancel it, which is not how tasks are cancelled.
    const options = {
      timeout: LONGEST_TIMEOUT,
      toolDefinition: tools.forCall(params.name),
      ...(!augmented && { signal: stop.signal }),
    };
    const result = await client.callTool({ ...params, _meta }, options);
    return { result: toolResult(dialect, result) };
  } catch (error) {
    if (error instanceof ProtocolError && error.data instanceof Unusual) {
      const { result } = error.data;
      if (stop.signal.aborted) abandon(link, result);
      return { unusual: result };
    }
    // The SDK found the result wanting.
    if (error instanceof ProtocolError && ticket.answered !== 'error') {
      throw callError('invalid_answer', error.message, error);
    }
    throw asCallError(error);
  }
}

/** Cancels a task of which nobody will ever ask. */
function abandon(link: Link, answer: JsonObject): void {
  try {
    const { dialect } = link;
    if (dialect === 'ext' && answer['resultType'] !== 'task') return;
    cancel(link, createdTask(dialect, answer).taskId).catch(() => undefined);
  } catch {
    // There is no task in it.
  }
}

/** Answers a round of questions. Resolves with what goes with the call when it is sent again. */
async function settled(
  answer: JsonObject,
  round: number,
  questions: Questions,
  stop: Stop,
): Promise<JsonObject> {
  const { inputRequests, requestState } = roundOf(answer);
  // Keys name questions within a round only.
  const keys = questions.fresh(inputRequests, `${round}:`);
  if (keys.length === 0) await new Promise((resolve) => setTimeout(resolve, PAUSE));
  const failed = new AbortController();
  const signal = AbortSignal.any([stop.signal, failed.signal]);
  try {
    const answers = await Promise.race([
      Promise.all(
        keys.map(async (key) => [key, await questions.answer(key, inputRequests[key], signal)]),
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
