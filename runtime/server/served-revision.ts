import type { RevisionVersion } from '../protocol/index.js';
import type { RevisionModules, TasksExtension } from '../wire/revision.js';
import type { DialectModule } from './dialects/index.js';

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
