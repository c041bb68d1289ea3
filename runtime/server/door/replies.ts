import { META_KEYS } from '../../protocol/index.js';
import { type JsonObject, merged } from '../../tasks/index.js';
import type { Operation } from '../../telemetry/index.js';
import { isObject } from '../../wire/json.js';
import type { Revision } from '../../wire/revision.js';
import { INTERNAL_ERROR, INVALID_PARAMS, MISSING_CAPABILITY } from '../errors.js';
import { answerToSend, type AnswerMessage, type OutgoingRules } from '../sdk/index.js';

/** How a handler ended. */
export type Outcome = { readonly result: JsonObject } | { readonly error: unknown };

/** An answer, its text, and the code of its error. */
export interface Written {
  readonly message: JsonObject;
  readonly text: string;
  readonly code: number | undefined;
}

export interface WriteOptions {
  readonly id: string | number;
  readonly checkedAs: string;
  /** The one that the client speaks. */
  readonly revision: Revision;
  readonly rules: OutgoingRules;
  readonly operation: Operation;
  /** The server's name and version, which results of 2026-07-28 carry. */
  readonly serverInfo?: JsonObject;
}

/** The checked answer to a request, with the members in the order in which the SDK writes them. */
export function written(outcome: Outcome, options: WriteOptions): Written {
  const { id, checkedAs, revision, rules, operation, serverInfo } = options;
  const built =
    'result' in outcome
      ? { result: stamped(outcome.result, serverInfo), jsonrpc: '2.0', id }
      : { jsonrpc: '2.0', id, error: errorOf(outcome.error) };
  const { message, text } = answerToSend(built as AnswerMessage, checkedAs, revision, rules);
  operation.end(message);
  return { message, text, code: 'error' in message ? message.error.code : undefined };
}

/** The status of an answer of 2026-07-28. */
export function statusOf(code: number | undefined): number {
  return code === MISSING_CAPABILITY ? 400 : 200;
}

function stamped(result: JsonObject, serverInfo: JsonObject | undefined): JsonObject {
  if (serverInfo === undefined) return result;
  const { _meta: meta } = result;
  const own = { [META_KEYS.serverInfo]: serverInfo };
  const complete = 'resultType' in result ? result : merged(result, COMPLETE);
  if (meta === undefined) return merged(complete, { _meta: own });
  if (!isObject(meta) || meta[META_KEYS.serverInfo] !== undefined) return complete;
  return merged(complete, { _meta: merged(meta, own) });
}

const COMPLETE = { resultType: 'complete' };

/** An older code for a resource that was not found, which the SDK replaces. */
const RESOURCE_NOT_FOUND = -32002;

function errorOf(thrown: unknown): JsonObject {
  const { code, message, data } = (thrown ?? {}) as Partial<
    Record<'code' | 'message' | 'data', unknown>
  >;
  const known = Number.isSafeInteger(code) ? (code as number) : INTERNAL_ERROR;
  return {
    code: known === RESOURCE_NOT_FOUND ? INVALID_PARAMS : known,
    message: message ?? 'Internal error',
    ...(data !== undefined && { data }),
  };
}
