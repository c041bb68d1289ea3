import { createTelemetry } from '../tasks/index.js';
import { createOperations } from '../telemetry/index.js';
import { assertKnown, ON_DEMAND } from '../peer/wire/on-demand.js';
import type { Missing, TaskCapabilities } from './capabilities.js';
import { loggedBy } from './log/log.js';
import type { Platform } from './platform.js';
import { createServer, type TaskServer, type TaskServerOptions } from './server.js';
import type { ServerTool } from './tool.js';

/**
 * Throws a TypeError for two tools, resources or prompts of one name, also in a guest, and for capabilities that
 * contradict the tools, a RangeError for revisions that cannot be served, and what the store throws when it cannot be read.
 */
export async function createTaskServer<T extends ServerTool, const C extends TaskCapabilities>(
  options: Omit<TaskServerOptions, 'tools' | 'capabilities'> & {
    readonly tools: readonly T[];
    readonly capabilities?: C & Missing<T, C>;
  },
): Promise<TaskServer>;
export async function createTaskServer(options: TaskServerOptions): Promise<TaskServer> {
  if (options.revisions) assertKnown(options.revisions);
  const { log, ...others } = options;
  // `onError` of the options goes before that of the log.
  const logged = log && {
    ...loggedBy(log, options.audit),
    ...(options.onError && { onError: options.onError }),
  };
  return createServer({ ...others, ...logged }, NODE);
}

/** Loads the revisions and dialects that a server offers, and nothing that it does not use. */
const NODE: Platform = {
  revisions: ON_DEMAND,
  dialect: async (name) =>
    name === 'core'
      ? (await import('./dialects/core.js')).CORE
      : (await import('./dialects/ext.js')).EXT,
  inviteGuest: async (invited) => (await import('./sdk-guest/guest.js')).inviteGuest(invited),
  taskTools: async (tools, options) =>
    (await import('./features/task-tools.js')).taskTools(tools, options),
  portable: async () => (await import('./features/portable-lists.js')).listedPortably,
  operations: () => createOperations('server'),
  telemetry: createTelemetry,
};

/** What a server is, without the place that runs it: that adds the store, the executor and the log. */
export type ServerDefinition = Omit<TaskServerOptions, 'store' | 'executor' | 'log'>;

/**
 * What a server is, for `runServer` of `runtime/program` and for tests. Capabilities that contradict the tools do not
 * compile. Returns what it gets.
 */
export function defineServer<T extends ServerTool, const C extends TaskCapabilities>(
  definition: Omit<ServerDefinition, 'tools' | 'capabilities'> & {
    readonly tools: readonly T[];
    readonly capabilities?: C & Missing<T, C>;
  },
): ServerDefinition {
  return definition;
}
