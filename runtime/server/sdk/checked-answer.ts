import type { JSONRPCMessage, ProtocolError } from '@modelcontextprotocol/server';

import { ERROR_CODES, METHODS } from '../../protocol/index.js';
import { messageOf } from '../../tasks/index.js';
import { isObject } from '../../wire/json.js';
import { type Problem, type Revision, withoutValues } from '../../wire/revision.js';

/** What a server sends: rules of its own, beside those of the revision. */
export interface OutgoingRules {
  /** Refuses a message by a rule of this server, not of the revision. Applies to every sender. */
  readonly forbids: (message: JSONRPCMessage) => ProtocolError | undefined;
  readonly onProblem: (error: Error) => void;
}

/** The answer to a request, as the SDK and this server build it. */
export type AnswerMessage = Extract<JSONRPCMessage, { result: unknown } | { error: unknown }>;

/**
 * The answer that may be sent, with its text. An invalid result becomes an error that names the field.
 * `checkedAs` is the method whose result it has to be.
 */
export function answerToSend(
  given: AnswerMessage,
  checkedAs: string | undefined,
  revision: Revision,
  { forbids, onProblem }: OutgoingRules,
): { readonly message: AnswerMessage; readonly text: string } {
  const isSession = revision.dialect === 'core';
  const isRead = checkedAs === METHODS.resourcesRead;
  const message = isSession && isRead ? withSessionCode(given) : given;
  const { id } = message;
  const answer = (sent: AnswerMessage, text = JSON.stringify(sent)) => ({ message: sent, text });
  const forbidden = forbids(message);
  if (forbidden !== undefined) {
    const error = { code: forbidden.code, message: forbidden.message };
    return answer({ jsonrpc: '2.0', id, error });
  }
  const encoded = encodedOf(message);
  const problem = revision.check(message, 'server', () => checkedAs) ?? encoded.problem;
  if (problem === undefined) return answer(message, encoded.text);
  onProblem(new Error(`Invalid result of ${checkedAs}: ${withoutValues(problem)}`));
  const error = { code: ERROR_CODES.InternalError, message: `Invalid result: ${problem.message}` };
  return answer({ jsonrpc: '2.0', id, error });
}

/** Sessions have a code of their own for a resource that was not found. 2026-07-28 has -32602 for it. */
const RESOURCE_NOT_FOUND = -32002;

/**
 * The SDK answers -32602 in every revision. It documents how to tell an unknown resource from other invalid
 * params: its data is exactly `{ uri }`.
 */
function withSessionCode(message: AnswerMessage): AnswerMessage {
  if (!('error' in message)) return message;
  const { code, data } = message.error;
  if (code !== ERROR_CODES.InvalidParams || !isObject(data)) return message;
  if (typeof data['uri'] !== 'string' || Object.keys(data).length !== 1) return message;
  return { ...message, error: { ...message.error, code: RESOURCE_NOT_FOUND } };
}

/**
 * The validators accept a BigInt or a cycle where the schema allows any value. The SDK's streams drop a message
 * that they cannot encode, and its request would never be answered.
 */
export function encodedOf(
  message: JSONRPCMessage,
):
  | { readonly text: string; readonly problem?: undefined }
  | { readonly text?: undefined; readonly problem: Problem } {
  try {
    return { text: JSON.stringify(message) };
  } catch (error) {
    const text = `not JSON: ${messageOf(error)}`;
    return { problem: { code: ERROR_CODES.InternalError, message: text, faults: [] } };
  }
}
