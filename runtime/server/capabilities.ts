import type { ServerCapabilities } from '@modelcontextprotocol/server';

import { EXTENSION_ID } from '../protocol/index.js';
import type { Dialect, JsonObject } from '../tasks/index.js';
import { member } from '../wire/json.js';
import { declaresCoreCalls, declaresRequest, type TaskCapabilities } from './declaration.js';
import type { ServerTool } from './tool.js';

export interface Served {
  readonly tools: readonly ServerTool[];
  /** The dialect of the connection. */
  readonly dialect: Dialect;
  /** What the user declares, else what the tools need. */
  readonly declared: TaskCapabilities;
  /** Whether requestors can be told apart. */
  readonly identified: boolean;
}

/** Whether the connection serves tasks in its dialect. */
export function servesTasks({ dialect, declared }: Pick<Served, 'dialect' | 'declared'>): boolean {
  return declared[dialect] !== undefined;
}

/** The answer to `initialize` for a revision that knows no tasks. */
export function withoutTasks(initialized: JsonObject): JsonObject {
  const { tasks, ...capabilities } = member(initialized, 'capabilities') as JsonObject;
  return { ...initialized, capabilities };
}

/** What a connection serves beside what the user registers with the SDK, which declares that itself. */
export function capabilitiesOf(served: Served): ServerCapabilities {
  const inDialect = (dialect: Dialect): boolean =>
    served.dialect === dialect && servesTasks(served);
  return {
    ...(served.tools.length > 0 && { tools: {} }),
    ...(inDialect('ext') && { extensions: { [EXTENSION_ID]: {} } }),
    ...(inDialect('core') && {
      tasks: {
        ...(lists(served) && { list: {} }),
        ...(cancels(served) && { cancel: {} }),
        ...(callsAsTasks(served) && { requests: { tools: { call: {} } } }),
      },
    }),
  };
}

/** Whether `tasks/list` of the core dialect is served. */
export function lists({ declared, identified }: Served): boolean {
  return identified && declaresRequest(declared, 'list');
}

/** Whether `tasks/cancel` of the core dialect is served. */
export function cancels({ declared }: Served): boolean {
  return declaresRequest(declared, 'cancel');
}

/** Whether calls of tools become tasks of the core dialect. */
export function callsAsTasks({ declared }: Served): boolean {
  return declaresCoreCalls(declared);
}
