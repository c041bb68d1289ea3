import { TASK_STATUSES } from '../../runtime/rules/tasks.js';
import type { RowFinding } from '../findings/index.js';
import { sayNumber } from '../toolkit/words.js';

/** `Message 17`, or the line of what is no message. */
export function nameOf({
  number,
  line,
}: {
  readonly number: number;
  readonly line: number;
}): string {
  return number > 0 ? `Message ${sayNumber(number)}` : `Line ${sayNumber(line)}`;
}

/** What a finding says; `code` is between backticks. */
export function sayFinding({ text, expected, received = '' }: RowFinding): string {
  return expected ? `expected ${expected}, received ${received}` : text;
}

export const STATUSES: readonly string[] = TASK_STATUSES;

/** The name of a task's status in the style. */
export function statusClass(status: string): string {
  return `status-${STATUSES.includes(status) ? status : 'unknown'}`;
}
