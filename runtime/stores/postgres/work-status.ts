import type { TaskStatus } from '../../tasks/index.js';

/**
 * The `workStatus` of a task in SQL, read from the bytes of its summary, which may be UTF-16. A condition searches for a
 * member's text: no text in the summary contains it, because its quotes would be escaped there.
 */

/** An entry of the history begins with its status, so it has no comma before it. */
function hasStatus(status: TaskStatus): string {
  return contains(`,"status":"${status}"`);
}

function contains(member: string): string {
  const has = (bytes: Buffer): string =>
    `position('\\x${bytes.toString('hex')}'::bytea in summary) > 0`;
  return `(${has(Buffer.from(member))} OR ${has(Buffer.from(member, 'utf16le'))})`;
}

const HAS_MESSAGE = contains('"statusMessage":');

/** The condition of the index of failed work: a search has to repeat it as it is. */
export const IS_FAILED = `NOT live AND (${hasStatus('failed')} OR ${hasStatus('completed')} AND ${HAS_MESSAGE})`;

/** The most frequent first: a search that fails reads the whole summary. */
export const WORK_STATUS = `CASE
    WHEN ${hasStatus('completed')} THEN CASE WHEN ${HAS_MESSAGE} THEN 'failed' ELSE 'completed' END
    ${(['working', 'failed', 'cancelled', 'input_required'] as const)
      .map((status) => `WHEN ${hasStatus(status)} THEN '${status}'`)
      .join(' ')} END`;
