import type { METHODS } from '../protocol.js';
import { callError } from './errors.js';
import type { Link } from './link.js';
import type { Answered } from './requests.js';

export type ListMethod =
  | typeof METHODS.promptsList
  | typeof METHODS.resourcesList
  | typeof METHODS.resourcesTemplatesList
  | typeof METHODS.toolsList;

/**
 * All entries of a list of the server, page by page. Rejects with `invalid_answer` for a list without an end, and for
 * one of more than `listEntries`.
 */
export async function listed<M extends ListMethod, T>(
  link: Link,
  method: M,
  entriesIn: (page: Answered<M>) => readonly T[],
): Promise<T[]> {
  const { listEntries } = link.limits;
  const entries: T[] = [];
  const seen = new Set<string>();
  let empty = 0;
  for (let cursor: string | undefined; ;) {
    const page = await link.request<string>(method, cursor === undefined ? {} : { cursor });
    const more = entriesIn(page as Answered<M>);
    if (entries.length + more.length > listEntries) {
      const most = `${listEntries} entries (limit listEntries)`;
      throw callError('invalid_answer', `The answer to ${method} has more than ${most}`);
    }
    for (const each of more) entries.push(each);
    const { nextCursor } = page;
    if (typeof nextCursor !== 'string') return entries;
    empty = more.length === 0 ? empty + 1 : 0;
    if (seen.has(nextCursor) || seen.size >= MOST_PAGES || empty > MOST_EMPTY) {
      throw callError('invalid_answer', `The pages of ${method} do not end`);
    }
    seen.add((cursor = nextCursor));
  }
}

const MOST_PAGES = 1_000;
/** Pages without an entry, one after another: a server may have hidden their entries from this user. */
const MOST_EMPTY = 50;
