import type { JsonObject } from '../tasks/index.js';
import { callError } from './errors.js';
import type { Link } from './link.js';

/**
 * All entries of a list of the server, page by page. Rejects with `invalid_answer` for a list without an end, and for
 * one of more than `listEntries`.
 */
export async function listed(
  link: Link,
  method: string,
  member: string,
  onPage?: (page: JsonObject) => void,
): Promise<JsonObject[]> {
  const { listEntries } = link.limits;
  const entries: JsonObject[] = [];
  const seen = new Set<string>();
  for (let cursor: string | undefined; ;) {
    const page = await link.request(method, cursor === undefined ? {} : { cursor });
    onPage?.(page);
    const more = page[member] as JsonObject[];
    if (entries.length + more.length > listEntries) {
      const most = `${listEntries} entries (limit listEntries)`;
      throw callError('invalid_answer', `The answer to ${method} has more than ${most}`);
    }
    for (const each of more) entries.push(each);
    const { nextCursor } = page;
    if (typeof nextCursor !== 'string') return entries;
    if (seen.has(nextCursor) || seen.size >= MOST_PAGES) {
      throw callError('invalid_answer', `The pages of ${method} do not end`);
    }
    seen.add((cursor = nextCursor));
  }
}

const MOST_PAGES = 1_000;
