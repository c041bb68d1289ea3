import { later, type Timer } from '../transport/index.js';

/** Milliseconds of a window, in which each kind is passed on at most once. */
const WINDOW_MS = 10_000;
/** Milliseconds after which a window whose timer did not fire has ended. */
const LATE_MS = 1_000;
/** Different kinds that are passed on in one window; the others are counted. */
const MOST_KINDS = 20;

/** Where things that may repeat without limit go. */
export interface Coalesced<T> {
  /** The first of its kind. */
  readonly first: (item: T) => void;
  /** So many more of its kind in the last 10 s. */
  readonly repeated: (item: T, times: number) => void;
  /** So many of further kinds in the last 10 s. */
  readonly others: (times: number) => void;
}

/**
 * Passes the first of each kind on at once, and then every 10 s how many more there were, so that what
 * repeats under load does not fill a log. `kind` may have any length.
 */
export function createCoalescer<T>(to: Coalesced<T>): (kind: string, item: T) => void {
  /** The kinds of this window, and how often each occurred since it was last passed on. */
  let kinds = new Map<string, { readonly item: T; times: number }>();
  let left = 0;
  let timer: Timer | undefined;
  let endsAt = 0;

  function endWindow(): void {
    const repeated = [...kinds].filter(([, { times }]) => times > 0);
    for (const [, { item, times }] of repeated) to.repeated(item, times);
    if (left > 0) to.others(left);
    // A kind that still repeats is not new in the next window.
    kinds = new Map(repeated.map(([kind, { item }]) => [kind, { item, times: 0 }]));
    left = 0;
    timer = kinds.size > 0 ? schedule() : undefined;
  }

  function schedule(): Timer {
    endsAt = performance.now() + WINDOW_MS;
    return later(WINDOW_MS, endWindow);
  }

  return (kind, item) => {
    // In workerd the timer ends with the request that set it.
    if (timer !== undefined && performance.now() > endsAt + LATE_MS) {
      clearTimeout(timer);
      endWindow();
    }
    timer ??= schedule();
    const known = kinds.get(kind);
    if (known !== undefined) {
      known.times += 1;
    } else if (kinds.size >= MOST_KINDS) {
      left += 1;
    } else {
      kinds.set(kind, { item, times: 0 });
      to.first(item);
    }
  };
}
