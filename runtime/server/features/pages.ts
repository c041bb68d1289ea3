import { INVALID_PARAMS, rpcError } from '../errors.js';

const PAGE_SIZE = 1_000;

/** A list that clients get page by page. */
export interface Pages<T> {
  /** The page of a cursor, as the member `key` of the result. Throws `-32602` for a cursor of another list. */
  answer<K extends string>(key: K, cursor: unknown): Page<K, T>;
}

export type Page<K extends string, T> = Readonly<Record<K, readonly T[]>> & {
  readonly nextCursor?: string;
};

export function createPages<T>(items: readonly T[], pageSize = PAGE_SIZE): Pages<T> {
  return {
    answer(key, cursor) {
      const start = cursor === undefined ? 0 : placeOf(cursor, key);
      // Only another list, or this one before it became shorter, has such a cursor.
      if (start % pageSize !== 0 || (start > 0 && start >= items.length)) throw invalidCursor();
      const end = start + pageSize;
      if (start === 0 && end >= items.length) return pageOf(key, items);
      const isLast = end >= items.length;
      return {
        ...pageOf(key, items.slice(start, end)),
        ...(!isLast && { nextCursor: cursorOf(key, end) }),
      };
    },
  };
}

function pageOf<K extends string, T>(key: K, items: readonly T[]): Page<K, T> {
  return { [key]: items } as Page<K, T>;
}

/** Says nothing to clients: what it holds may change. */
function cursorOf(key: string, place: number): string {
  return btoa(`${key}:${place}`);
}

function placeOf(cursor: unknown, key: string): number {
  if (typeof cursor !== 'string' || cursor.length > 100) throw invalidCursor();
  const [, digits = ''] = /:(\d{1,15})$/.exec(decoded(cursor)) ?? [];
  const place = Number(digits);
  // Base64 has several spellings of a text.
  if (place > 0 && cursorOf(key, place) === cursor) return place;
  throw invalidCursor();
}

function decoded(cursor: string): string {
  try {
    return atob(cursor);
  } catch {
    return '';
  }
}

function invalidCursor(): Error {
  return rpcError(
    INVALID_PARAMS,
    'Invalid cursor: send a nextCursor of this list, or none for its beginning',
  );
}
