/** First in, first out for each owner, and owners take turns: a thousand tasks of one owner do not delay another owner's task. */
export interface FairQueue<T extends { readonly owner: string }> {
  /** Returns a function that removes the item. */
  push(item: T): () => void;
  /** The next item of the first owner in the queue that is `allowed`. */
  shift(allowed?: (owner: string) => boolean): T | undefined;
  /** Sends the owner to the back, because something else of that owner was just served. */
  defer(owner: string): void;
  /** How many items of the owner are here. */
  size(owner: string): number;
  /** How many items are here. */
  readonly total: number;
  /** Removes all items. */
  drain(): T[];
}

export function createFairQueue<T extends { readonly owner: string }>(): FairQueue<T> {
  // A Map keeps its keys in order of insertion, so deleting and setting again sends an owner to the back.
  const queues = new Map<string, OwnerQueue<T>>();
  let total = 0;

  function shift(allowed: (owner: string) => boolean = () => true): T | undefined {
    for (const [owner, queue] of queues) {
      if (!allowed(owner)) continue;
      const item = next(queue);
      if (item !== undefined) total -= 1;
      queues.delete(owner);
      if (queue.items.size > 0) queues.set(owner, queue);
      return item;
    }
    return undefined;
  }

  function remove(item: T): void {
    const queue = queues.get(item.owner);
    if (queue?.items.delete(item) === true) total -= 1;
    if (queue?.items.size === 0) queues.delete(item.owner);
  }

  return {
    shift,
    defer(owner) {
      const queue = queues.get(owner);
      if (queue === undefined) return;
      queues.delete(owner);
      queues.set(owner, queue);
    },
    get total() {
      return total;
    },
    size: (owner) => queues.get(owner)?.items.size ?? 0,
    push(item) {
      const queue = queues.get(item.owner) ?? createOwnerQueue();
      queue.items.add(item);
      total += 1;
      queues.set(item.owner, queue);
      return () => remove(item);
    },
    drain() {
      const items: T[] = [];
      for (let item = shift(); item !== undefined; item = shift()) items.push(item);
      return items;
    },
  };
}

/** An owner's items. One iterator for all of them, because a new one would skip the removed items again. */
interface OwnerQueue<T> {
  readonly items: Set<T>;
  readonly iterator: Iterator<T, undefined>;
}

function createOwnerQueue<T>(): OwnerQueue<T> {
  const items = new Set<T>();
  return { items, iterator: items.values() };
}

function next<T>({ items, iterator }: OwnerQueue<T>): T | undefined {
  const { value, done } = iterator.next();
  if (done === true) return undefined;
  items.delete(value);
  return value;
}
