import { other } from './direction.js';
import type { Party } from './direction.js';
import type { Exchanges, Sender } from './exchanges.js';
import type { Kind } from './finding.js';
import { sendersOf } from './protocol.js';
import type { Dialect } from './protocol.js';
import { isRecord } from './read.js';

export type Properties = Readonly<Record<string, unknown>>;

/** As the validators tell messages apart. */
export function kindOf(message: Properties): Kind {
  const { method, id, result, error } = message;
  if (method !== undefined) return id === undefined ? 'notification' : 'request';
  return result === undefined && error !== undefined ? 'error' : 'response';
}

/**
 * Who sent a request or notification that nobody tagged: who alone may send it, or who is in an
 * exchange with what it names. `undefined` when it may be either, or neither.
 */
export function inferSender(
  message: Properties,
  dialect: Dialect,
  exchanges: Exchanges,
): Party | undefined {
  const { method, params } = message;
  if (typeof method !== 'string') return undefined;
  const senders = sendersOf(method, dialect);
  if (senders !== 'both') return senders;
  const named = isRecord(params) ? params : {};
  if (method === 'notifications/cancelled') {
    const requesters = exchanges.requestersOf(named['requestId']);
    return requesters.length === 1 ? partyOf(requesters[0]) : undefined;
  }
  if (method === 'notifications/progress') {
    const requester = partyOf(exchanges.requesterByToken(named['progressToken']));
    return requester && other(requester);
  }
  return undefined;
}

export function partyOf(sender: Sender | undefined): Party | undefined {
  return sender === 'unknown' ? undefined : sender;
}

export function isId(id: unknown): boolean {
  return typeof id === 'string' || typeof id === 'number';
}
