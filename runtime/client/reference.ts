import type { Dialect } from '../tasks/index.js';
import { callError } from './errors.js';

/** The data that identifies a task. Callers store it anywhere, so `parseReference` does not trust it. */
export interface Reference {
  readonly dialect: Dialect;
  readonly taskId: string;
  readonly tool: string;
}

const PREFIX = 'mcp-task-1.';
const MAX_LENGTH = 16_384;
/** Characters of a task id; longer ids are invalid. */
export const MAX_ID_LENGTH = 1_024;

export function formatReference({ dialect, taskId, tool }: Reference): string {
  const text = JSON.stringify([dialect, taskId, tool]);
  return PREFIX + toBase64Url(text);
}

/** Throws a `CallError` (`invalid_reference`) for any other string. */
export function parseReference(text: string): Reference {
  if (typeof text === 'string' && text.startsWith(PREFIX) && text.length <= MAX_LENGTH) {
    const [dialect, taskId, tool, ...more] = members(text.slice(PREFIX.length));
    const known = dialect === 'core' || dialect === 'ext';
    if (known && isId(taskId) && typeof tool === 'string' && more.length === 0) {
      return { dialect, taskId, tool };
    }
  }
  throw callError(
    'invalid_reference',
    'The string is not a task reference: pass the reference of a CallHandle or a CallError',
  );
}

function members(encoded: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(fromBase64Url(encoded));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function toBase64Url(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return btoa(bytes.join('')).replace(/[+/=]/g, (sign) => ({ '+': '-', '/': '_' })[sign] ?? '');
}

function fromBase64Url(encoded: string): string {
  const binary = atob(encoded.replace(/[-_]/g, (sign) => (sign === '-' ? '+' : '/')));
  return new TextDecoder().decode(Uint8Array.from(binary, (each) => each.charCodeAt(0)));
}

export function isId(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_ID_LENGTH;
}
