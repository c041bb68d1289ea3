/** A binary min-heap of things that are due at a time. */
export interface Heap<T extends { readonly at: number }> {
  push(entry: T): void;
  peek(): T | undefined;
  pop(): T | undefined;
}

export function createHeap<T extends { readonly at: number }>(): Heap<T> {
  const entries: T[] = [];
  const due = (index: number): number => entries[index]?.at ?? Infinity;

  function swap(a: number, b: number): void {
    const [first, second] = [entries[a], entries[b]];
    if (first === undefined || second === undefined) return;
    entries[a] = second;
    entries[b] = first;
  }

  function rise(index: number): void {
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (due(parent) <= due(index)) return;
      swap(parent, index);
      index = parent;
    }
  }

  function sink(index: number): void {
    for (;;) {
      const left = 2 * index + 1;
      const child = due(left + 1) < due(left) ? left + 1 : left;
      if (due(child) >= due(index)) return;
      swap(child, index);
      index = child;
    }
  }

  return {
    push(entry) {
      entries.push(entry);
      rise(entries.length - 1);
    },
    peek: () => entries[0],
    pop() {
      swap(0, entries.length - 1);
      const first = entries.pop();
      sink(0);
      return first;
    },
  };
}
