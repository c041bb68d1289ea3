import { REVISIONS, type RevisionVersion } from './protocol.js';

/** Messages of one list. */
export const MOST_IN_BATCH = 100;

/** Whether several messages may come in a list in this revision: in 2025-03-26 alone. */
export function takesBatches(version: string | undefined): boolean {
  if (version === undefined || !Object.hasOwn(REVISIONS, version)) return false;
  return REVISIONS[version as RevisionVersion].batches;
}
