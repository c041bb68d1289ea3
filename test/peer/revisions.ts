import { ON_DEMAND } from '../../runtime/peer/wire/on-demand.js';
import { type Revision, loadRevisions, offeredVersions } from '../../runtime/peer/wire/revision.js';
import { DIALECT_VERSIONS } from '../../runtime/protocol.js';

/** The revision of each dialect, and one from before them. */
export async function revisions(): Promise<Readonly<Record<'core' | 'ext' | 'older', Revision>>> {
  const { loaded, load } = await loadRevisions(offeredVersions(), true, ON_DEMAND);
  return {
    core: loaded.get(DIALECT_VERSIONS.core) as Revision,
    ext: loaded.get(DIALECT_VERSIONS.ext) as Revision,
    older: await load('2025-06-18'),
  };
}
