/** First in, first out for each owner, and the owners by turns: one owner's thousand tasks do not hold up another's one. */
export interface FairQueue<T extends { readonly owner: string }> {
  push(item: T): void;
  shift(): T | undefined;
}

export function createFairQueue<T extends { readonly owner: string }>(): FairQueue<T> {
  // A Map keeps its keys in order of insertion, so deleting and setting again sends an owner to the back.
  const owners = new Map<string, Line<T>>();

  return {
    push(item) {
      const line = owners.get(item.owner);
      if (line === undefined) owners.set(item.owner, { items: [item], next: 0 });
      else line.items.push(item);
    },
    shift() {
      const first = owners.entries().next();
      if (first.done) return undefined;
      const [owner, line] = first.value;
      const item = line.items[line.next];
      line.next += 1;
      owners.delete(owner);
      if (line.next < line.items.length) owners.set(owner, line);
      return item;
    },
  };
}

interface Line<T> {
  readonly items: T[];
  next: number;
}
