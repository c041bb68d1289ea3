import { many } from '../../generator/diagnostics/index.js';
import type { Paint } from '../../generator/diagnostics/index.js';
import type { Counts, Row } from '../../contracts/validate/index.js';
import { table } from '../../generator/diagnostics/table.js';

const COLUMNS = ['method', 'requests', 'notifications', 'results', 'errors', 'invalid'] as const;

/** The counts of each method, and of all messages. `omitted`: the number of findings that were not printed. */
export function summaryText(
  counts: Counts,
  rows: readonly Row[],
  omitted: number,
  paint: Paint,
): string {
  const cells = rows.map((row) => COLUMNS.map((column) => String(row[column])));
  const more =
    omitted === 0 ? '' : `${many(omitted, 'finding')} not printed: raise --max-errors.\n`;
  const paragraphs = [more, rows.length > 0 ? table(COLUMNS, cells, paint) : ''];
  return [...paragraphs, `${sayMessages(counts)}${sayRest(counts)}.\n`]
    .filter((text) => text !== '')
    .join('\n');
}

/** `3 messages, 1 invalid` */
export function sayMessages({ messages, invalid }: Counts, revisions = ''): string {
  return `${many(messages, 'message')}${revisions}, ${String(invalid)} invalid`;
}

/** The counts that are usually zero, if they are not. */
function sayRest(counts: Counts): string {
  const { unreadable, skipped, unchecked, unasked, unanswered, forgotten } = counts;
  return [
    unreadable > 0 && `${String(unreadable)} unreadable`,
    skipped > 0 && `${many(skipped, 'text')} without a message skipped`,
    unchecked > 0 && `${String(unchecked)} not checked because the revision is unknown`,
    unasked > 0 && `${many(unasked, 'answer')} without a request`,
    unanswered > 0 && `${many(unanswered, 'request')} without an answer`,
    forgotten > 0 && `${many(forgotten, 'session')} forgotten before the end`,
  ]
    .filter((text) => text !== false)
    .map((text) => `, ${text}`)
    .join('');
}
