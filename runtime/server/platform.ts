import type { RevisionVersion } from '../protocol.js';
import type { InvitedGuest } from './sdk-guest/guest.js';
import type { Dialect, Telemetry } from '../tasks/index.js';
import type { Operations } from '../telemetry/index.js';
import type { RevisionModules, RevisionSource, TasksExtension } from '../peer/wire/revision.js';
import type { DialectModule } from './endpoint.js';
import type { TaskToolsOptions } from './features/task-tools.js';
import type { TaskToolsMaker } from './endpoint.js';
import type { Guest } from './guest.js';
import type { ServerTool } from './tool.js';

/**
 * Where a server gets what not every server needs. On Node it imports that on demand. A bundler follows such imports too,
 * so the entry for other places imports nothing of it, and its users import the revisions that they serve.
 */
export interface Platform {
  readonly revisions: RevisionSource;
  /** Rejects for a dialect that it does not have. */
  dialect(name: Dialect): Promise<DialectModule>;
  /** Absent where a server has no guest. */
  inviteGuest?(invited: InvitedGuest): Promise<Guest>;
  /** Absent where clients without tasks get none. */
  taskTools?(tools: readonly ServerTool[], options: TaskToolsOptions): Promise<TaskToolsMaker>;
  /** Makes the lists of a tool fit for most hosts. Absent where tools are listed as they are. */
  portable?(): Promise<(tool: ServerTool) => ServerTool>;
  /** Record messages and tasks. */
  operations(): Operations;
  telemetry(): Telemetry;
}

/**
 * A revision for `revisions`, with all the code that serves it: its validators and tables, and how its clients speak
 * about tasks. It is an import of its own, so that a bundle has the revisions that its author names and no other.
 */
export interface ServedRevision {
  readonly version: RevisionVersion;
  readonly modules: RevisionModules;
  readonly dialect: DialectModule;
  /** Where the revision has its tasks from there. */
  readonly tasksExtension?: TasksExtension;
}
