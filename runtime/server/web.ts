import { NO_TELEMETRY } from '../tasks/index.js';
import { NO_OPERATIONS } from '../telemetry/index.js';
import type { Missing, TaskCapabilities } from './capabilities.js';
import type { Platform, ServedRevision } from './platform.js';
import { createServer, type TaskServer, type TaskServerOptions } from './server.js';
import type { ServerTool } from './tool.js';

/**
 * The server for places without Node: workers, Deno, Bun. It imports web standards and nothing else, and no code of a
 * revision: authors import the revisions that they serve, so that a bundle holds these alone. `server/index.ts` loads
 * revisions by their names instead, which bundlers cannot leave out.
 */

export * from './shared.js';
export { type Logged, loggedBy, type ServerLog } from './log/log.js';
export type { ServedRevision } from './platform.js';
export type { TaskServer } from './server.js';

export interface WebServerOptions extends Omit<
  TaskServerOptions,
  'guest' | 'log' | 'revisions' | 'schemas' | 'tasksAsTools'
> {
  /**
   * Revisions that clients may speak: `revision20260728` of `@mcp-codegen/runtime/server/2026-07-28`, and so on.
   * Revisions before 2025-11-25 need that one.
   */
  readonly revisions: readonly ServedRevision[];
}

/**
 * As `createTaskServer` of `@mcp-codegen/runtime/server`, for places without Node: without `guest`, `schemas`, `tasksAsTools` and OpenTelemetry,
 * with `...loggedBy(log)` instead of `log`, and with revisions as modules, because a bundle for their names would contain
 * all of them.
 */
export async function createTaskServer<T extends ServerTool, const C extends TaskCapabilities>(
  options: Omit<WebServerOptions, 'tools' | 'capabilities'> & {
    readonly tools: readonly T[];
    readonly capabilities?: C & Missing<T, C>;
  },
): Promise<TaskServer>;
export async function createTaskServer(options: WebServerOptions): Promise<TaskServer> {
  const { revisions, ...others } = options;
  const versions = revisions.map(({ version }) => version);
  return createServer({ ...others, revisions: versions }, platformOf(revisions));
}

function platformOf(revisions: readonly ServedRevision[]): Platform {
  async function find<T>(what: string, read: (each: ServedRevision) => T | undefined): Promise<T> {
    for (const each of revisions) {
      const found = read(each);
      if (found !== undefined) return Promise.resolve(found);
    }
    throw new Error(`${what}: none of \`revisions\` has it`);
  }
  return {
    revisions: {
      modules: (version) =>
        find(version, (each) => (each.version === version ? each.modules : undefined)),
      tasksExtension: () => find('The tasks extension', ({ tasksExtension }) => tasksExtension),
    },
    dialect: (name) => find(name, ({ dialect }) => (dialect.name === name ? dialect : undefined)),
    operations: () => NO_OPERATIONS,
    telemetry: () => NO_TELEMETRY,
  };
}
