/** First in, first out for each owner, and the owners by turns: one owner's thousand tasks do not hold up another's one. */
export interface FairQueue<T extends { readonly owner: string }> {
  /** Returns what takes the item out again. */
  push(item: T): () => void;
  /** The next item of the first owner in line who is `allowed`. */
  shift(allowed?: (owner: string) => boolean): T | undefined;
  /** Sends the owner to the back, because something else of that owner was just served. */
  defer(owner: string): void;
  /** How many items of the owner are here. */
  size(owner: string): number;
  /** Takes out everything. */
  drain(): T[];
}

export function createFairQueue<T extends { readonly owner: string }>(): FairQueue<T> {
  // A Map keeps its keys in order of insertion, so deleting and setting again sends an owner to the back.
  const lines = new Map<string, Line<T>>();

  function shift(allowed: (owner: string) => boolean = () => true): T | undefined {
    for (const [owner, line] of lines) {
      if (!allowed(owner)) continue;
      const item = next(line);
      lines.delete(owner);
      if (line.items.size > 0) lines.set(owner, line);
      return item;
    }
    return undefined;
  }

  function remove(item: T): void {
    const line = lines.get(item.owner);
    line?.items.delete(item);
    if (line?.items.size === 0) lines.delete(item.owner);
  }

  return {
    shift,
    defer(owner) {
      const line = lines.get(owner);
      if (line === undefined) return;
      lines.delete(owner);
      lines.set(owner, line);
    },
    size: (owner) => lines.get(owner)?.items.size ?? 0,
    push(item) {
      const line = lines.get(item.owner) ?? createLine();
      line.items.add(item);
      lines.set(item.owner, line);
      return () => remove(item);
    },
    drain() {
      const items: T[] = [];
      for (let item = shift(); item !== undefined; item = shift()) items.push(item);
      return items;
    },
  };
}

/** An owner's items. The iterator goes on where it was, past the gaps that a new one would walk over. */
interface Line<T> {
  readonly items: Set<T>;
  readonly iterator: Iterator<T, undefined>;
}

function createLine<T>(): Line<T> {
  const items = new Set<T>();
  return { items, iterator: items.values() };
}

function next<T>({ items, iterator }: Line<T>): T | undefined {
  const { value, done } = iterator.next();
  if (done === true) return undefined;
  items.delete(value);
  return value;
}
