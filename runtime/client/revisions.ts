import type * as core from '../../generated/2025-11-25/validators.js';
import type * as ext from '../../generated/ext-tasks/validators.js';
import type * as modern from '../../generated/2026-07-28/validators.js';
import {
  DIALECT_VERSIONS,
  PROTOCOL_VERSIONS,
  REVISIONS,
  type RevisionVersion,
} from '../protocol.js';
import type { Dialect } from '../tasks/index.js';
import { assertKnown, ON_DEMAND } from '../peer/wire/on-demand.js';
import { createRevision, type Extension, type Revision } from '../peer/wire/revision.js';

/** What a dialect has for tasks. */
interface DialectModules {
  readonly revision: Revision;
  readonly validateCreateTaskResult:
    typeof core.validateCreateTaskResult | typeof ext.validateCreateTaskResult;
  /** In the extension only. */
  readonly validateInputRequest?: typeof modern.validateInputRequest;
}

const loaded = new Map<RevisionVersion, Revision>();
const dialects = new Map<Dialect, DialectModules>();

/** A revision, and the one that defines the tasks of its dialect. Both are loaded when a connection needs them. */
export async function revisionOf(version: RevisionVersion): Promise<Revision> {
  const { dialect } = REVISIONS[version];
  const own = DIALECT_VERSIONS[dialect];
  const tasks = loaded.get(own) ?? (await loadDialect(dialect, own));
  if (version === own) return tasks;
  const known = loaded.get(version);
  if (known !== undefined) return known;
  const { validators, tables } = await ON_DEMAND.modules(version);
  const revision = createRevision(version, dialect, validators, tables);
  loaded.set(version, revision);
  return revision;
}

async function loadDialect(dialect: Dialect, version: RevisionVersion): Promise<Revision> {
  const [{ validators, tables }, extension] = await Promise.all([
    ON_DEMAND.modules(version),
    dialect === 'ext' ? loadExtension() : undefined,
  ]);
  const added = extension === undefined ? [] : [extension];
  const revision = createRevision(version, dialect, validators, tables, added);
  const { validateInputRequest } = validators as Partial<typeof modern>;
  dialects.set(dialect, {
    revision,
    ...(extension ?? (validators as typeof core)),
    ...(validateInputRequest && { validateInputRequest }),
  });
  loaded.set(version, revision);
  return revision;
}

async function loadExtension(): Promise<Extension & Pick<typeof ext, 'validateCreateTaskResult'>> {
  const [{ validateCreateTaskResult, wire }, { NOTIFICATIONS, REQUESTS }] = await Promise.all([
    import('../../generated/ext-tasks/validators.js'),
    import('../../generated/ext-tasks/protocol.js'),
  ]);
  return { validateCreateTaskResult, wire, NOTIFICATIONS, REQUESTS };
}

/** What defines the tasks of a dialect. Loaded before the first message of the dialect. */
export function dialectOf(dialect: Dialect): DialectModules {
  const modules = dialects.get(dialect);
  if (modules === undefined) throw new Error(`The dialect ${dialect} is not loaded`);
  return modules;
}

/** The revisions to offer, newest first. Throws a RangeError for an unknown one, and for none. */
export function spokenVersions(
  versions: readonly RevisionVersion[] = PROTOCOL_VERSIONS,
): readonly RevisionVersion[] {
  assertKnown(versions);
  if (versions.length === 0) {
    throw new RangeError('`revisions` is empty: name at least one revision');
  }
  return PROTOCOL_VERSIONS.filter((each) => versions.includes(each));
}
