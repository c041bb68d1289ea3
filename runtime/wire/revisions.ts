/**
 * The revisions that servers serve. That of a dialect is loaded when a server in this process serves the dialect,
 * an older one when a client negotiates it. Both stay loaded. `import()` takes literals only, so that bundlers
 * find the modules.
 */

import type * as extTasks from '../../generated/ext-tasks/validators.js';
import type { Dialect } from '../tasks/index.js';
import { createRevision, DIALECT_VERSIONS, lateRevision, type Revision } from './revision.js';

type TasksExtension = typeof extTasks;

/** Servers of older revisions serve that of the dialect too: see `offeredVersions`. */
const core = (): Revision => dialectRevision('core');

/** Newest first, as the SDK wants them. */
const LOADERS = {
  '2026-07-28': async () =>
    createRevision(
      '2026-07-28',
      'ext',
      await import('../../generated/2026-07-28/validators.js'),
      extension ? [extension.wire] : [],
    ),
  '2025-11-25': async () =>
    createRevision('2025-11-25', 'core', await import('../../generated/2025-11-25/validators.js')),
  '2025-06-18': () =>
    lateRevision('2025-06-18', () => import('../../generated/2025-06-18/validators.js'), core),
  '2025-03-26': () =>
    lateRevision('2025-03-26', () => import('../../generated/2025-03-26/validators.js'), core),
  '2024-11-05': () =>
    lateRevision('2024-11-05', () => import('../../generated/2024-11-05/validators.js'), core),
} as const satisfies Record<string, () => Revision | Promise<Revision>>;

export type RevisionVersion = keyof typeof LOADERS;

/** Every revision that can be served, newest first. */
export const VERSIONS = Object.keys(LOADERS) as readonly RevisionVersion[];

/** Revisions in which a process checks the messages of each dialect. */
const inDialects = new Map<Dialect, Revision>();
let extension: TasksExtension | undefined;

/**
 * The revisions to offer, newest first.
 *
 * @throws {RangeError} for an empty list, an unknown version, and an older version without 2025-11-25,
 *   in which the answers of tools are written.
 */
export function offeredVersions(
  versions: readonly string[] = VERSIONS,
): readonly RevisionVersion[] {
  const known: readonly string[] = VERSIONS;
  const unknown = versions.find((each) => !known.includes(each));
  if (unknown !== undefined) {
    throw new RangeError(
      `Unknown revision ${JSON.stringify(unknown)}: choose from ${known.join(', ')}`,
    );
  }
  const { core } = DIALECT_VERSIONS;
  const older = versions.find((each) => each < core);
  if (older !== undefined && !versions.includes(core)) {
    throw new RangeError(`Revision ${older} needs ${core} as well: add it to \`revisions\``);
  }
  if (versions.length === 0) {
    throw new RangeError('`revisions` is empty: name at least one revision, or remove the option');
  }
  return VERSIONS.filter((each) => versions.includes(each));
}

/** Loads the revisions of dialects, and the tasks extension for servers that serve it. Keeps the order of `versions`. */
export async function loadRevisions(
  versions: readonly RevisionVersion[],
  servesTasksExtension: boolean,
): Promise<readonly Revision[]> {
  if (servesTasksExtension) extension ??= await import('../../generated/ext-tasks/validators.js');
  const revisions = await Promise.all(versions.map(async (version) => LOADERS[version]()));
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
