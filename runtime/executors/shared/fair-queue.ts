/** First in, first out for each subject, and subjects take turns: a thousand tasks of one subject do not delay another subject's task. */
interface FairQueue<T extends { readonly subject: string }> {
  /** Returns a function that removes the item. */
  push(item: T): () => void;
  /** The next item of the first subject in the queue that is `allowed`. */
  shift(allowed?: (subject: string) => boolean): T | undefined;
  /** Sends the subject to the back, because something else of that subject was just served. */
  defer(subject: string): void;
  /** How many items of the subject are here. */
  size(subject: string): number;
  /** How many items are here. */
  readonly total: number;
  /** Removes all items. */
  drain(): T[];
}

export function createFairQueue<T extends { readonly subject: string }>(): FairQueue<T> {
  // A Map keeps its keys in order of insertion, so deleting and setting again sends a subject to the back.
  const queues = new Map<string, SubjectQueue<T>>();
  let total = 0;

  function shift(allowed: (subject: string) => boolean = () => true): T | undefined {
    for (const [subject, queue] of queues) {
      if (!allowed(subject)) continue;
      const item = next(queue);
      if (item !== undefined) total -= 1;
      queues.delete(subject);
      if (queue.items.size > 0) queues.set(subject, queue);
      return item;
    }
    return undefined;
  }

  function remove(item: T): void {
    const queue = queues.get(item.subject);
    if (queue?.items.delete(item) === true) total -= 1;
    if (queue?.items.size === 0) queues.delete(item.subject);
  }

  return {
    shift,
    defer(subject) {
      const queue = queues.get(subject);
      if (queue === undefined) return;
      queues.delete(subject);
      queues.set(subject, queue);
    },
    get total() {
      return total;
    },
    size: (subject) => queues.get(subject)?.items.size ?? 0,
    push(item) {
      const queue = queues.get(item.subject) ?? createSubjectQueue();
      queue.items.add(item);
      total += 1;
      queues.set(item.subject, queue);
      return () => remove(item);
    },
    drain() {
      const items: T[] = [];
      for (let item = shift(); item !== undefined; item = shift()) items.push(item);
      return items;
    },
  };
}

/** A subject's items. One iterator for all of them, because a new one would skip the removed items again. */
interface SubjectQueue<T> {
  readonly items: Set<T>;
  readonly iterator: Iterator<T, undefined>;
}

function createSubjectQueue<T>(): SubjectQueue<T> {
  const items = new Set<T>();
  return { items, iterator: items.values() };
}

function next<T>({ items, iterator }: SubjectQueue<T>): T | undefined {
  const { value, done } = iterator.next();
  if (done === true) return undefined;
  items.delete(value);
  return value;
}
