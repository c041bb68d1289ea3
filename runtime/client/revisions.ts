import { PROTOCOL_VERSIONS, REVISIONS, type RevisionVersion } from '../protocol/index.js';
import { DIALECT_REVISIONS } from '../wire/dialect-revisions.js';
import { assertKnown, ON_DEMAND } from '../wire/on-demand.js';
import { createRevision, type Revision } from '../wire/revision.js';

const loaded = new Map<RevisionVersion, Revision>();
for (const revision of Object.values(DIALECT_REVISIONS)) {
  loaded.set(revision.version as RevisionVersion, revision);
}

/** A revision. Those that define no tasks are loaded when a server speaks them. */
export async function revisionOf(version: RevisionVersion): Promise<Revision> {
  const known = loaded.get(version);
  if (known !== undefined) return known;
  const { validators, tables } = await ON_DEMAND.modules(version);
  const revision = createRevision(version, REVISIONS[version].dialect, validators, tables);
  loaded.set(version, revision);
  return revision;
}

/** The revisions to offer, newest first. Throws a RangeError for an unknown one, and for none. */
export function spokenVersions(
  versions: readonly RevisionVersion[] = PROTOCOL_VERSIONS,
): readonly RevisionVersion[] {
  assertKnown(versions);
  if (versions.length === 0)
    throw new RangeError('`revisions` is empty: name at least one revision');
  return PROTOCOL_VERSIONS.filter((each) => versions.includes(each));
}
