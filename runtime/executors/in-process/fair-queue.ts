/** First in, first out for each owner, and the owners by turns: one owner's thousand tasks do not hold up another's one. */
export interface FairQueue<T extends { readonly owner: string }> {
  push(item: T): void;
  shift(): T | undefined;
  /** Takes out everything. */
  drain(): T[];
}

/** Places given up at the front of a line before it is moved up: a shift a time would be quadratic. */
const COMPACT_AT = 1_024;

export function createFairQueue<T extends { readonly owner: string }>(): FairQueue<T> {
  // A Map keeps its keys in order of insertion, so deleting and setting again sends an owner to the back.
  const owners = new Map<string, Line<T>>();

  function shift(): T | undefined {
    const first = owners.entries().next();
    if (first.done) return undefined;
    const [owner, line] = first.value;
    const item = line.items[line.next];
    line.next += 1;
    if (line.next === COMPACT_AT) {
      line.items.splice(0, line.next);
      line.next = 0;
    }
    owners.delete(owner);
    if (line.next < line.items.length) owners.set(owner, line);
    return item;
  }

  return {
    shift,
    push(item) {
      const line = owners.get(item.owner);
      if (line === undefined) owners.set(item.owner, { items: [item], next: 0 });
      else line.items.push(item);
    },
    drain() {
      const items: T[] = [];
      for (let item = shift(); item !== undefined; item = shift()) items.push(item);
      return items;
    },
  };
}

interface Line<T> {
  readonly items: T[];
  next: number;
}
