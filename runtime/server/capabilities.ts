import type { ServerCapabilities } from '@modelcontextprotocol/server';

import { EXTENSION_ID, METHODS } from '../protocol/index.js';
import type { Dialect, JsonObject } from '../tasks/index.js';
import { member } from '../wire/json.js';
import { declaresCoreCalls, declaresRequest, type TaskCapabilities } from './declaration.js';
import type { ServerTool } from './tool.js';

export interface Served {
  readonly tools: readonly ServerTool[];
  readonly dialects: readonly Dialect[];
  /** The dialect of the connection. */
  readonly dialect: Dialect;
  /** What the user declares; without it, what the tools need. */
  readonly declared?: TaskCapabilities | undefined;
  /** Whether requestors can be told apart. */
  readonly identified: boolean;
}

/** Whether the connection serves tasks in its dialect. */
export function servesTasks({
  tools,
  dialects,
  dialect,
  declared,
}: Omit<Served, 'identified'>): boolean {
  if (!dialects.includes(dialect)) return false;
  return declared !== undefined || tools.some(({ taskSupport }) => taskSupport !== 'forbidden');
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
  return identified && (declared === undefined || declaresRequest(declared, METHODS.tasksList));
}

/** Whether `tasks/cancel` of the core dialect is served. */
export function cancels({ declared }: Served): boolean {
  return declared === undefined || declaresRequest(declared, METHODS.tasksCancel);
}

/** Whether calls of tools become tasks of the core dialect. */
export function callsAsTasks({ declared }: Served): boolean {
  return declared === undefined || declaresCoreCalls(declared);
}
