import type { ServerCapabilities } from '@modelcontextprotocol/server';

import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import type { Dialect, JsonObject } from '../tasks/index.js';
import { member } from '../wire/json.js';
import type { ServerTool } from './tool.js';

export interface Served {
  readonly tools: readonly ServerTool[];
  readonly dialects: readonly Dialect[];
  readonly era: 'legacy' | 'modern';
  /** Whether requestors can be told apart. */
  readonly identified: boolean;
}

/** The dialect in which tool calls become tasks, if they do at all. */
export function dialectOf({
  tools,
  dialects,
  era,
}: Omit<Served, 'identified'>): Dialect | undefined {
  const dialect = era === 'legacy' ? 'core' : 'ext';
  if (!dialects.includes(dialect)) return undefined;
  return tools.some(({ taskSupport }) => taskSupport !== 'forbidden') ? dialect : undefined;
}

/** The answer to `initialize` for a revision that knows no tasks. */
export function withoutTasks(initialized: JsonObject): JsonObject {
  const { tasks, ...capabilities } = member(initialized, 'capabilities') as JsonObject;
  return { ...initialized, capabilities };
}

/** What a connection serves beside what the user registers with the SDK, which declares that itself. */
export function capabilitiesOf(served: Served): ServerCapabilities {
  const dialect = dialectOf(served);
  return {
    ...(served.tools.length > 0 && { tools: {} }),
    ...(dialect === 'ext' && { extensions: { [EXTENSION_ID]: {} } }),
    ...(dialect === 'core' && {
      tasks: {
        ...(served.identified && { list: {} }),
        cancel: {},
        requests: { tools: { call: {} } },
      },
    }),
  };
}
