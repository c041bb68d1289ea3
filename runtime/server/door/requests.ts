import type { AuthInfo } from '@modelcontextprotocol/server';

import { DIALECT_VERSIONS, META_KEYS, METHODS } from '../../protocol/index.js';
import { type JsonObject, merged } from '../../tasks/index.js';
import { isObject } from '../../wire/json.js';
import type { Incoming } from '../incoming.js';
import { paramHeaders } from '../param-headers.js';
import { createEnvelopes, partsOf } from './envelopes.js';
import type { Accepted } from './accepted.js';

/** The parameter that the `Mcp-Name` header repeats. */
const NAMED_BY: Readonly<Record<string, string>> = {
  [METHODS.toolsCall]: 'name',
  [METHODS.tasksGet]: 'taskId',
  [METHODS.tasksUpdate]: 'taskId',
  [METHODS.tasksCancel]: 'taskId',
};

/** Reads requests of 2026-07-28. Over HTTP, their headers and body have to agree. */
export function createRequestReader(takes: (method: string, params: JsonObject) => boolean) {
  const envelopes = createEnvelopes();

  function agrees(incoming: Incoming, method: string, params: JsonObject): boolean {
    const parameter = NAMED_BY[method];
    const header = incoming.header('mcp-name');
    return (
      incoming.header('mcp-protocol-version') === DIALECT_VERSIONS.ext &&
      incoming.header('mcp-method') === method &&
      (parameter === undefined ? header === null : names(header, params[parameter])) &&
      paramHeaders(incoming).length === 0
    );
  }

  return (
    message: unknown,
    incoming: Incoming | undefined,
    authInfo: AuthInfo | undefined,
  ): Accepted | undefined => {
    const request = requestIn(message);
    if (request === undefined) return undefined;
    const { id, method, params } = request;
    const meta = params['_meta'];
    if (!isObject(meta) || meta[META_KEYS.protocolVersion] !== DIALECT_VERSIONS.ext) {
      return undefined;
    }
    if (!takes(method, params)) return undefined;
    if (incoming !== undefined && !agrees(incoming, method, params)) return undefined;
    if (!envelopes.accepts(message as JsonObject, meta)) return undefined;
    const { envelope, rest } = partsOf(meta);
    return {
      id,
      method,
      message: request.message,
      params: withMeta(params, rest),
      inputResponses: request.inputResponses,
      meta: rest,
      envelope,
      sessionId: undefined,
      authInfo,
    };
  };
}

function names(header: string | null, name: unknown): boolean {
  // A name in Base64 begins so.
  return typeof name === 'string' && !name.startsWith('=?') && header === name;
}

export interface PlainRequest {
  readonly message: JsonObject & { readonly method: string };
  readonly id: string | number;
  readonly method: string;
  readonly params: JsonObject;
  /** The answers of `tasks/update`. */
  readonly inputResponses: JsonObject | undefined;
}

const NO_PARAMS: JsonObject = {};

/** A request without parts that only the SDK understands. */
export function requestIn(message: unknown): PlainRequest | undefined {
  if (!isObject(message)) return undefined;
  const { jsonrpc, id, method, params = NO_PARAMS } = message;
  const isRequest =
    jsonrpc === '2.0' &&
    (typeof id === 'string' || Number.isSafeInteger(id)) &&
    typeof method === 'string' &&
    isObject(params) &&
    Object.keys(message).length === (params === NO_PARAMS ? 3 : 4) &&
    !('requestState' in params);
  if (!isRequest) return undefined;
  const inputResponses = params['inputResponses'];
  if ('inputResponses' in params) {
    if (method !== METHODS.tasksUpdate || !areAccepted(inputResponses)) return undefined;
  }
  return {
    message: message as PlainRequest['message'],
    id: id as string | number,
    method,
    params,
    inputResponses: inputResponses as JsonObject | undefined,
  };
}

/** Whether the SDK passes each of these answers on. It sorts out those that look like messages. */
function areAccepted(responses: unknown): responses is JsonObject {
  return (
    isObject(responses) &&
    Object.entries(responses).every(
      ([key, each]) =>
        key !== '__proto__' && isObject(each) && !('method' in each) && !('result' in each),
    )
  );
}

function withMeta(params: JsonObject, meta: JsonObject | undefined): JsonObject {
  const { _meta, inputResponses: _, ...rest } = params;
  return meta === undefined ? rest : merged(rest, { _meta: meta });
}
