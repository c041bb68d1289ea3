/** Bytes that wait for readers, of all streams of a server together. */
export interface Backlog {
  /** `end` is called when the stream has to make room for others. */
  open(end: () => void): Account;
}

/** The bytes of one stream. */
export interface Account {
  /** Less than none, where bytes were replaced by fewer. */
  added(bytes: number): void;
  taken(bytes: number): void;
  /** None of its bytes wait any more. */
  close(): void;
}

interface Entry {
  waiting: number;
  /** When its reader last took bytes, or the first byte began to wait. */
  since: number;
  readonly end: () => void;
}

export interface BacklogOptions {
  /** Milliseconds without a read after which a reader counts as stalled. */
  readonly stalledMs?: number;
  /** Milliseconds on the monotonic clock. */
  readonly now?: () => number;
}

/** Readers that are not stalled may have this many times the bound, for instance when all get an event at once. */
const HEADROOM = 4;

/**
 * When more than `most` bytes wait, stalled streams are ended until no more than that do: first the one whose
 * reader has taken nothing for the longest time. Beyond four times `most`, others are ended as well. The
 * stream that was added to last is not, so that an event that is larger than all that still reaches a reader.
 */
export function createBacklog(
  most: number,
  { stalledMs = 1_000, now = () => performance.now() }: BacklogOptions = {},
): Backlog {
  // Streams with waiting bytes, by when their readers last took some, the longest ago first.
  const waiting = new Set<Entry>();
  let total = 0;

  function remove(entry: Entry): void {
    waiting.delete(entry);
    total -= entry.waiting;
    entry.waiting = 0;
  }

  function makeRoom(latest?: Entry): void {
    const stalledSince = now() - stalledMs;
    for (const entry of waiting) {
      if (total <= most) return;
      if (entry === latest) continue;
      if (entry.since > stalledSince && total <= HEADROOM * most) break;
      remove(entry);
      entry.end();
    }
    if (total > most) lookAgain();
  }

  let again: NodeJS.Timeout | undefined;
  function lookAgain(): void {
    again ??= setTimeout(() => {
      again = undefined;
      makeRoom();
    }, stalledMs).unref();
  }

  return {
    open(end) {
      const entry: Entry = { waiting: 0, since: 0, end };
      let open = true;
      return {
        added(bytes) {
          if (!open) return;
          if (entry.waiting === 0) entry.since = now();
          entry.waiting += bytes;
          total += bytes;
          waiting.add(entry);
          makeRoom(entry);
        },
        taken(bytes) {
          if (!waiting.delete(entry)) return;
          const less = Math.min(bytes, entry.waiting);
          entry.waiting -= less;
          entry.since = now();
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
