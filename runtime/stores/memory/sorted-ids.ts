/** Ids in ascending order. They mostly arrive in this order, so adding is nearly always a push. */
export interface SortedIds {
  add(id: string): void;
  remove(id: string): void;
  /** Ids in descending order, from the greatest, or from the one before `before`. */
  descending(before: string | undefined): Iterable<string>;
  readonly size: number;
}

export function createSortedIds(): SortedIds {
  const ids: string[] = [];

  /** The index of the first id that is not less. */
  function lowerBound(id: string): number {
    let low = 0;
    let high = ids.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ids[middle] ?? '') < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    add(id) {
      const last = ids.at(-1);
      if (last === undefined || last < id) ids.push(id);
      else ids.splice(lowerBound(id), 0, id);
    },
    remove(id) {
      const index = lowerBound(id);
      if (ids[index] === id) ids.splice(index, 1);
    },
    *descending(before) {
      const start = before === undefined ? ids.length : lowerBound(before);
      for (let index = start - 1; index >= 0; index -= 1) {
        const id = ids[index];
        if (id !== undefined) yield id;
      }
    },
    get size() {
      return ids.length;
    },
  };
}
