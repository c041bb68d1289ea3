/** A map of bounded size that forgets what was used longest ago. */
export interface Recent<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
}

export function createRecent<V>(capacity: number): Recent<V> {
  const entries = new Map<string, V>();
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size <= capacity) return;
      const oldest = entries.keys().next();
      if (!oldest.done) entries.delete(oldest.value);
    },
  };
}
