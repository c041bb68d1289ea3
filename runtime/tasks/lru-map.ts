/** A map of bounded size (least recently used): beyond `capacity` it drops the entry that was set longest ago. */
interface LruMap<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  /** Returns whether it was there. */
  delete(key: string): boolean;
}

export function createLruMap<V>(capacity: number): LruMap<V> {
  const entries = new Map<string, V>();
  let newest: string | undefined;
  return {
    get: (key) => entries.get(key),
    delete: (key) => entries.delete(key),
    set(key, value) {
      // Each deletion leaves a gap, and a map copies itself to close its gaps, into memory that is collected rarely.
      if (key !== newest) entries.delete(key);
      newest = key;
      entries.set(key, value);
      if (entries.size <= capacity) return;
      const oldest = entries.keys().next();
      if (!oldest.done) entries.delete(oldest.value);
    },
  };
}
