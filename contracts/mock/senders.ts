import { METHODS } from '../../runtime/protocol.js';
import type { Party } from '../validate/index.js';
import type { Recorded } from './recording.js';

const OF_SERVERS: ReadonlySet<unknown> = new Set([
  METHODS.elicitationCreate,
  METHODS.rootsList,
  METHODS.samplingCreateMessage,
]);
const NOTIFICATIONS_OF_CLIENTS: ReadonlySet<unknown> = new Set([
  METHODS.notificationsCancelled,
  METHODS.notificationsInitialized,
  METHODS.notificationsRootsListChanged,
]);

/**
 * Who sent a message: by its tag, else by its method. An answer without a tag comes from the side that was asked:
 * `isAsked` says whether the client has an open request with its id.
 */
export function senderOf({ from, message }: Recorded, isAsked: (id: unknown) => boolean): Party {
  if (from !== undefined) return from;
  const { method, id } = message;
  if (method === undefined) return isAsked(id) ? 'server' : 'client';
  if (id !== undefined) return OF_SERVERS.has(method) ? 'server' : 'client';
  return NOTIFICATIONS_OF_CLIENTS.has(method) ? 'client' : 'server';
}
