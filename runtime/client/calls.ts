import { type Client, ProtocolError } from '@modelcontextprotocol/client';

import type { JsonObject } from '../tasks/index.js';
import { cancel } from './core.js';
import { asCallError, callError, invalidAnswer } from './errors.js';
import { roundOf } from './ext.js';
import { type Link, LONGEST_TIMEOUT } from './link.js';
import type { Questions } from './questions.js';
import { createdTask, toolResult } from './states.js';
import type { Stop } from './stop.js';
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

/**
 * Sends a call, and answers what is asked before it is answered. Rejects with a `CallError`.
 *
 * A task that comes after the call was given up is cancelled.
 */
export async function place(
  client: Client,
  link: Link,
  request: CallRequest,
  questions: Questions,
  stop: Stop,
): Promise<CallAnswer> {
  let params: CallRequest = request;
  for (let round = 0; round < ROUNDS; round += 1) {
    const answer = await Promise.race([send(client, link, params, stop), stop.reached]);
    if ('result' in answer) return answer;
    const { dialect } = link;
    if (dialect === 'core') {
      if (request.task === undefined) throw invalidAnswer('A task came that was not asked for');
      return { task: createdTask('core', answer.unusual), meta: metaOf(answer.unusual) };
    }
    if (answer.unusual['resultType'] === 'task') {
      return { task: createdTask('ext', answer.unusual), meta: metaOf(answer.unusual) };
    }
    params = { ...request, ...(await settled(answer.unusual, round, questions, stop)) };
  }
  throw invalidAnswer(`The server asks on after ${ROUNDS} rounds`);
}

async function send(
  client: Client,
  link: Link,
  params: CallRequest,
  stop: Stop,
): Promise<{ readonly result: ToolResult } | { readonly unusual: JsonObject }> {
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
    const options = { timeout: LONGEST_TIMEOUT, ...(!augmented && { signal: stop.signal }) };
    const result = await client.callTool({ ...params, _meta }, options);
    return { result: toolResult(dialect, result) };
  } catch (error) {
    if (error instanceof ProtocolError && error.data instanceof Unusual) {
      const { result } = error.data;
      if (stop.signal.aborted) abandon(link, result);
      return { unusual: result };
    }
    // The SDK found the result wanting, by the tool's output schema.
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
