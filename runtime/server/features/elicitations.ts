import { declares } from '../../peer/index.js';
import { METHODS } from '../../protocol/index.js';
import { related } from '../../wire/core-task.js';
import { clientCapabilitiesOf, type ServerExchange } from '../origin.js';

const METHOD = METHODS.notificationsElicitationComplete;

/**
 * Tells the client of a request that the user is done on the page of a question by URL: on the request's stream, and in
 * its session when it is answered. Does nothing where the revision lacks it, or the client cannot be asked by URL.
 */
export async function announceCompleted(
  exchange: ServerExchange,
  elicitationId: string,
  taskId?: string,
): Promise<void> {
  const { revision, origin, isOver } = exchange;
  const info = revision.notifications[METHOD];
  if (info === undefined) return;
  if (!declares(info.capabilities, 'client', clientCapabilitiesOf(exchange))) return;
  const params = taskId === undefined ? { elicitationId } : related({ elicitationId }, taskId);
  await (isOver ? origin.session?.notify(METHOD, params) : exchange.notify(METHOD, params));
}
