import { METHODS } from '../../protocol.js';
import type { Revision } from '../../peer/wire/revision.js';
import type { ServedRevisions } from '../../peer/wire/revisions.js';
import { COMPLETE, NOT_CACHED } from '../../rules/messages.js';
import { subjectOf } from '../definitions/index.js';
import { listingIn, type ServerTool } from '../tool.js';

/** What a list of 2026-07-28 has beside its tools. */
const LIST = { ...COMPLETE, ...NOT_CACHED };

/**
 * Makes the tools ready to be called. A tool that a revision cannot list is refused here, because it would break the list of
 * all tools.
 *
 * @throws {TypeError} that names the tool, the place in its definition and what the revision expects there.
 */
export async function prepareTools(
  tools: readonly ServerTool[],
  { versions, loaded }: ServedRevisions,
): Promise<void> {
  for (const tool of tools) {
    for (const version of versions) assertListable(tool, loaded.get(version));
    await tool.load();
  }
}

/** Revisions that are loaded later list tools as those before them do. */
function assertListable(tool: ServerTool, revision: Revision | undefined): void {
  if (revision === undefined) return;
  const listed = listingIn(tool, revision.dialect);
  const problem = revision.checkResult(METHODS.toolsList, { ...LIST, tools: [listed] });
  if (problem === undefined) return;
  const [fault] = problem.faults;
  const place = fault?.pointer.replace(/^(?:\/result)?\/tools\/0/, '') ?? '';
  throw new TypeError(
    `${subjectOf('Tool', tool.name)} cannot be listed in ${revision.version}: ${place || 'it'} must be ${fault?.expected ?? problem.message}`,
  );
}
