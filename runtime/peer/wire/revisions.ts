/**
 * The revisions that servers serve. Those that define a dialect's tasks, and those without sessions, are loaded when a
 * server in this process serves the dialect, another one when a client negotiates it. All stay loaded.
 *
 * Nothing here imports the modules of a revision: a source has them. That of Node imports them on demand, and a bundle
 * holds those of the revisions that its author names.
 */

import type * as extTasks from '../../../generated/ext-tasks/validators.js';
import {
  DIALECT_VERSIONS,
  PROTOCOL_VERSIONS,
  REVISIONS,
  type RevisionVersion,
} from '../../protocol.js';
import type { Dialect } from '../../tasks/index.js';
import { createRevision, type Extension, type Revision, type Tables } from './revision.js';

/** The tasks extension, as far as a server needs it. */
export type TasksExtension = Pick<typeof extTasks, 'validateTaskSubscriptionNotifications'> &
  Extension;

/** The generated modules of a revision, as far as a server needs them. */
export interface RevisionModules {
  readonly validators: object;
  readonly tables: Tables;
}

/** Where the modules of revisions come from. Rejects for those that it does not have. */
export interface RevisionSource {
  modules(version: RevisionVersion): Promise<RevisionModules>;
  tasksExtension(): Promise<TasksExtension>;
}

/** Revisions in which a process checks the messages of each dialect. */
const inDialects = new Map<Dialect, Revision>();
let extension: TasksExtension | undefined;

/**
 * The revisions to offer, newest first.
 *
 * @throws {RangeError} for an empty list, and for a version without the one that defines the tasks of its dialect, in
 *   which the answers of tools are written.
 */
export function offeredVersions(
  versions: readonly string[] = PROTOCOL_VERSIONS,
): readonly RevisionVersion[] {
  const chosen = PROTOCOL_VERSIONS.filter((each) => versions.includes(each));
  for (const version of chosen.toReversed()) {
    const needed = DIALECT_VERSIONS[REVISIONS[version].dialect];
    if (chosen.includes(needed)) continue;
    throw new RangeError(`Revision ${version} needs ${needed} as well: add it to \`revisions\``);
  }
  if (versions.length === 0) {
    throw new RangeError('`revisions` is empty: name at least one revision, or remove the option');
  }
  return chosen;
}

/** The revisions of a server. */
export interface ServedRevisions {
  /** Newest first. */
  readonly versions: readonly RevisionVersion[];
  /** One that is loaded: each without sessions, and that which defines the tasks of sessions. */
  readonly loaded: ReadonlyMap<string, Revision>;
  /** Loads one of a session, which its handshake names. Rejects when its modules cannot be loaded. */
  readonly load: (version: RevisionVersion) => Promise<Revision>;
}

/** Loads the revisions of dialects, and the tasks extension for servers that serve it. */
export async function loadRevisions(
  versions: readonly RevisionVersion[],
  servesTasksExtension: boolean,
  source: RevisionSource,
): Promise<ServedRevisions> {
  if (servesTasksExtension) extension ??= await source.tasksExtension();
  const added = (version: RevisionVersion): readonly Extension[] =>
    REVISIONS[version].dialect === 'ext' && servesTasksExtension && extension ? [extension] : [];
  const loaded = new Map<string, Revision>();
  async function keep(version: RevisionVersion): Promise<Revision> {
    const known = loaded.get(version);
    if (known !== undefined) return known;
    const { validators, tables } = await source.modules(version);
    const { dialect } = REVISIONS[version];
    const revision = createRevision(version, dialect, validators, tables, added(version));
    loaded.set(version, revision);
    return revision;
  }
  const first = versions.filter((version) => {
    const { dialect } = REVISIONS[version];
    return dialect === 'ext' || version === DIALECT_VERSIONS[dialect];
  });
  await Promise.all(first.map(keep));
  for (const dialect of ['core', 'ext'] as const) {
    const revision = loaded.get(DIALECT_VERSIONS[dialect]);
    if (revision !== undefined) inDialects.set(dialect, revision);
  }
  return { versions, loaded, load: keep };
}

/** Loads what a task of a dialect needs. A store may hold tasks of a dialect that is not served any more. */
export async function loadDialect(dialect: Dialect, source: RevisionSource): Promise<void> {
  if (inDialects.has(dialect)) return;
  await loadRevisions([DIALECT_VERSIONS[dialect]], false, source);
}

/** The revision in which the messages of a dialect are written. Loaded before the first of them. */
export function dialectRevision(dialect: Dialect): Revision {
  const revision = inDialects.get(dialect);
  if (revision === undefined) throw new Error(`The dialect ${dialect} is not loaded`);
  return revision;
}

/** The validators of the tasks extension. Loaded by the first server that serves it. */
export function tasksExtension(): TasksExtension {
  if (extension === undefined) throw new Error('The tasks extension is not loaded');
  return extension;
}
