import type { Dialect } from '../tasks/index.js';
import { callError } from './errors.js';

/** What it takes to find a task again. It may be stored anywhere, so it is not trusted when it comes back. */
export interface Reference {
  readonly dialect: Dialect;
  readonly taskId: string;
  readonly tool: string;
}

const PREFIX = 'mcp-task-1.';
const LONGEST = 16_384;
/** Ids that are longer are no ids. */
export const LONGEST_ID = 1_024;

export function formatReference({ dialect, taskId, tool }: Reference): string {
  const text = JSON.stringify([dialect, taskId, tool]);
  return PREFIX + Buffer.from(text).toString('base64url');
}

/** Throws a `CallError` (`invalid_reference`) for what is not one. */
export function parseReference(text: string): Reference {
  if (typeof text === 'string' && text.startsWith(PREFIX) && text.length <= LONGEST) {
    const [dialect, taskId, tool, ...more] = members(text.slice(PREFIX.length));
    const known = dialect === 'core' || dialect === 'ext';
    if (known && isId(taskId) && typeof tool === 'string' && more.length === 0) {
      return { dialect, taskId, tool };
    }
  }
  throw callError('invalid_reference', 'This is no reference to a task');
}

function members(encoded: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

export function isId(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= LONGEST_ID;
}
