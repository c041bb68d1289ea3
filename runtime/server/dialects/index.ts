import type { Dialect } from '../../tasks/index.js';
import { CoreDialect } from './core.js';
import type { Connection, TaskDialect } from './dialect.js';
import { ExtDialect } from './ext.js';

export { createInputDelivery, type InputDelivery } from './core-input-delivery.js';
export type { CallParams, Connection, TaskDialect, ToolCallRequest } from './dialect.js';
export { createRequestStates, type RequestStates } from './ext-questions.js';
export { createTaskSubscriptions } from './ext-subscriptions.js';

const IMPLEMENTATIONS = { core: CoreDialect, ext: ExtDialect } as const;

/** Serves a connection in a dialect. */
export function createDialect(name: Dialect, connection: Connection): TaskDialect {
  return new IMPLEMENTATIONS[name](connection);
}
