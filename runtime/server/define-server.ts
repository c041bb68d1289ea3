import type { Missing, TaskCapabilities } from './capabilities.js';
import type { TaskServerOptions } from './server.js';
import type { ServerTool } from './tool.js';

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
