/** Bytes that wait for readers, of all streams of a server together. */
export interface Backlog {
  /** `end` is called when the stream has to make room for others. */
  open(end: () => void): Account;
}

/** The bytes of one stream. */
export interface Account {
  added(bytes: number): void;
  taken(bytes: number): void;
  /** Nothing of it waits any more. */
  close(): void;
}

interface Entry {
  waiting: number;
  readonly end: () => void;
}

/**
 * When more than `most` bytes wait, streams are ended until no more than that do: first the one whose reader
 * has taken nothing for the longest time. The stream that was added to last is not ended, so that an event
 * that is larger than the whole backlog still reaches a reader.
 */
export function createBacklog(most: number): Backlog {
  // Those of which something waits, by when their readers last took something, the longest ago first.
  const waiting = new Set<Entry>();
  let total = 0;

  function remove(entry: Entry): void {
    waiting.delete(entry);
    total -= entry.waiting;
    entry.waiting = 0;
  }

  function makeRoom(latest: Entry): void {
    for (const entry of waiting) {
      if (total <= most) return;
      if (entry === latest) continue;
      remove(entry);
      entry.end();
    }
  }

  return {
    open(end) {
      const entry: Entry = { waiting: 0, end };
      let open = true;
      return {
        added(bytes) {
          if (!open) return;
          entry.waiting += bytes;
          total += bytes;
          waiting.add(entry);
          makeRoom(entry);
        },
        taken(bytes) {
          if (!waiting.delete(entry)) return;
          const less = Math.min(bytes, entry.waiting);
          entry.waiting -= less;
          total -= less;
          if (entry.waiting > 0) waiting.add(entry);
        },
        close() {
          open = false;
          remove(entry);
        },
      };
    },
  };
}
