import type { AuthInfo } from '@modelcontextprotocol/server';

import { DIALECT_VERSIONS, METHODS } from '../../protocol/index.js';
import { type JsonObject, merged } from '../../tasks/index.js';
import { isObject } from '../../wire/json.js';
import type { Incoming } from '../incoming.js';
import { streams } from '../sdk/index.js';
import type { Answers } from '../connection.js';
import type { DoorSession } from './session.js';
import { isPlainMeta } from './envelopes.js';
import type { Accepted } from './accepted.js';
import { requestIn } from './requests.js';

/** A request in a session of 2025-11-25 that breaks no rule of its transport. */
export function readInSession(
  { id: sessionId, answers }: DoorSession,
  incoming: Incoming,
  message: unknown,
  authInfo: AuthInfo | undefined,
): (Accepted & { readonly streams: boolean }) | undefined {
  if (incoming.method !== 'POST' || !agrees(incoming)) return undefined;
  const accepted = readPlain(answers, message);
  return accepted && merged(accepted, { sessionId, authInfo, streams: streams(message) });
}

/** A request of 2025-11-25, whatever it came through. */
export function readPlain({ revision }: Answers, message: unknown): Accepted | undefined {
  if (revision.version !== DIALECT_VERSIONS.core) return undefined;
  const request = requestIn(message);
  if (request?.inputResponses !== undefined || request === undefined) return undefined;
  const { id, method, params } = request;
  const meta = params['_meta'];
  if (meta !== undefined && !(isObject(meta) && isPlainMeta(meta))) return undefined;
  return {
    id,
    method,
    message: request.message,
    params,
    inputResponses: undefined,
    meta,
    envelope: undefined,
    sessionId: undefined,
    authInfo: undefined,
  };
}

function agrees(incoming: Incoming): boolean {
  const version = incoming.header('mcp-protocol-version');
  const accept = incoming.header('accept') ?? '';
  return (
    (version === null || version === DIALECT_VERSIONS.core) &&
    accept.includes('application/json') &&
    accept.includes('text/event-stream')
  );
}

type CancelledIn = Pick<DoorSession, 'answers' | 'open'> & Partial<Pick<DoorSession, 'cancelled'>>;

/** Cancels the request that a notification of the client names, if the door is answering it. */
export function cancelNamed({ answers, open, cancelled }: CancelledIn, body: unknown): void {
  if (open.size === 0) return;
  for (const message of Array.isArray(body) ? (body as unknown[]) : [body]) {
    if (!isObject(message) || message['method'] !== METHODS.notificationsCancelled) continue;
    if (answers.revision.check(message, 'client') !== undefined) continue;
    const { requestId, reason } = message['params'] as JsonObject;
    const exchange = open.get(requestId);
    if (exchange === undefined) continue;
    exchange.cancel(reason);
    open.delete(requestId);
    cancelled?.add(exchange);
  }
}
