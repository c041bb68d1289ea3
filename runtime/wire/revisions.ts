/**
 * The revisions that servers serve. Those that define a dialect's tasks, and those without sessions, are loaded when a
 * server in this process serves the dialect, another one when a client negotiates it. All stay loaded.
 */

import type * as extTasks from '../../generated/ext-tasks/validators.js';
import {
  DIALECT_VERSIONS,
  PROTOCOL_VERSIONS,
  REVISIONS,
  type RevisionVersion,
} from '../protocol/index.js';
import type { Dialect } from '../tasks/index.js';
import { createRevision, lateRevision, type Revision } from './revision.js';
import { VALIDATORS } from './validator-modules.js';

type TasksExtension = typeof extTasks;

/** Servers of older revisions serve that of the dialect too: see `offeredVersions`. */
const core = (): Revision => dialectRevision('core');

async function load(version: RevisionVersion): Promise<Revision> {
  const { dialect } = REVISIONS[version];
  const importValidators = VALIDATORS[version];
  if (dialect === 'core' && version !== DIALECT_VERSIONS.core) {
    return lateRevision(version, importValidators, core);
  }
  const extensions = dialect === 'ext' && extension ? [extension.wire] : [];
  return createRevision(version, dialect, await importValidators(), extensions);
}

/** Revisions in which a process checks the messages of each dialect. */
const inDialects = new Map<Dialect, Revision>();
let extension: TasksExtension | undefined;

/**
 * The revisions to offer, newest first.
 *
 * @throws {RangeError} for an empty list, an unknown version, and a version without the one that defines the tasks
 *   of its dialect, in which the answers of tools are written.
 */
export function offeredVersions(
  versions: readonly string[] = PROTOCOL_VERSIONS,
): readonly RevisionVersion[] {
  const known: readonly string[] = PROTOCOL_VERSIONS;
  const unknown = versions.find((each) => !known.includes(each));
  if (unknown !== undefined) {
    throw new RangeError(
      `Unknown revision ${JSON.stringify(unknown)}: choose from ${known.join(', ')}`,
    );
  }
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

/** Loads the revisions of dialects, and the tasks extension for servers that serve it. Keeps the order of `versions`. */
export async function loadRevisions(
  versions: readonly RevisionVersion[],
  servesTasksExtension: boolean,
): Promise<readonly Revision[]> {
  if (servesTasksExtension) extension ??= await import('../../generated/ext-tasks/validators.js');
  const revisions = await Promise.all(versions.map(load));
  for (const revision of revisions) {
    const { dialect, version } = revision;
    if (version === DIALECT_VERSIONS[dialect]) inDialects.set(dialect, revision);
  }
  return revisions;
}

/** Loads what a task of a dialect needs. A store may hold tasks of a dialect that is not served any more. */
export async function loadDialect(dialect: Dialect): Promise<void> {
  if (inDialects.has(dialect)) return;
  await loadRevisions([DIALECT_VERSIONS[dialect]], false);
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
