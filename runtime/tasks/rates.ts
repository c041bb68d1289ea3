import type { Clock } from './clock.js';
import { createLruMap } from './lru-map.js';

/** Token buckets, one for each key. */
interface RateLimiter {
  /** Takes a token. Returns 0, or how many milliseconds until there is one. */
  take(key: string): number;
  /** Returns a token that was taken for an operation that is refused for another reason. */
  giveBack(key: string): void;
}

/** A token, in the unit that a bucket counts in: what it gets in a second at a rate of one. */
const TOKEN = 1_000;
/** Times are fractions of a millisecond, whose sums are not exact. */
const ROUNDING = 1e-6;

export function createRateLimiter(
  clock: Clock,
  rate: { readonly perSecond: number; readonly burst: number; readonly keys: number },
): RateLimiter {
  const buckets = createLruMap<{ credit: number; at: number }>(rate.keys);
  const most = rate.burst * TOKEN;

  return {
    take(key) {
      const now = clock.monotonic();
      const bucket = buckets.get(key) ?? { credit: most, at: now };
      const credit = Math.min(bucket.credit + (now - bucket.at) * rate.perSecond, most);
      const granted = credit + ROUNDING >= TOKEN;
      buckets.set(key, { credit: granted ? credit - TOKEN : credit, at: now });
      return granted ? 0 : Math.ceil((TOKEN - credit) / rate.perSecond);
    },
    giveBack(key) {
      const bucket = buckets.get(key);
      if (bucket !== undefined) bucket.credit = Math.min(bucket.credit + TOKEN, most);
    },
  };
}
