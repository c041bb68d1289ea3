import type { AuthInfo } from '@modelcontextprotocol/server';

import { META_KEYS, METHODS } from '../../protocol/index.js';
import { type JsonObject, merged } from '../../tasks/index.js';
import { isObject } from '../../wire/json.js';
import { DIALECT_VERSIONS } from '../../wire/revision.js';
import type { Incoming } from '../incoming.js';
import { paramHeaders } from '../param-headers.js';
import { createEnvelopes, partsOf } from './envelopes.js';
import type { Accepted } from './accepted.js';

/** The parameter that the `Mcp-Name` header repeats. */
const NAMED_BY: Readonly<Record<string, string>> = {
  [METHODS.toolsCall]: 'name',
  [METHODS.tasksGet]: 'taskId',
  [METHODS.tasksCancel]: 'taskId',
};

/** Reads requests of 2026-07-28. Over HTTP, their headers and body have to agree. */
export function createRequestReader(takes: (method: string, params: JsonObject) => boolean) {
  const envelopes = createEnvelopes();

  function agrees(incoming: Incoming, method: string, params: JsonObject): boolean {
    const name = params[NAMED_BY[method] ?? ''];
    return (
      incoming.header('mcp-protocol-version') === DIALECT_VERSIONS.ext &&
      incoming.header('mcp-method') === method &&
      typeof name === 'string' &&
      // A name in Base64 begins so.
      !name.startsWith('=?') &&
      incoming.header('mcp-name') === name &&
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
      meta: rest,
      envelope,
      sessionId: undefined,
      authInfo,
    };
  };
}

export interface PlainRequest {
  readonly message: JsonObject & { readonly method: string };
  readonly id: string | number;
  readonly method: string;
  readonly params: JsonObject;
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
    !('inputResponses' in params) &&
    !('requestState' in params);
  if (!isRequest) return undefined;
  return { message: message as PlainRequest['message'], id: id as string | number, method, params };
}

function withMeta(params: JsonObject, meta: JsonObject | undefined): JsonObject {
  const { _meta, ...rest } = params;
  return meta === undefined ? rest : merged(rest, { _meta: meta });
}
