import type { Clock } from './clock.js';
import { createLruMap } from './lru-map.js';

/** Token buckets, one for each owner. */
export interface RateLimiter {
  /** Takes a token. Returns 0, or how many milliseconds until there is one. */
  take(owner: string): number;
}

/** A token, in the unit that a bucket counts in: what it gets in a second at a rate of one. */
const TOKEN = 1_000;
/** Times are fractions of a millisecond, whose sums are not exact. */
const ROUNDING = 1e-6;

export function createRateLimiter(
  clock: Clock,
  rate: { readonly perSecond: number; readonly burst: number; readonly owners: number },
): RateLimiter {
  const buckets = createLruMap<{ credit: number; at: number }>(rate.owners);
  const most = rate.burst * TOKEN;

  return {
    take(owner) {
      const now = clock.monotonic();
      const bucket = buckets.get(owner) ?? { credit: most, at: now };
      const credit = Math.min(bucket.credit + (now - bucket.at) * rate.perSecond, most);
      const granted = credit + ROUNDING >= TOKEN;
      buckets.set(owner, { credit: granted ? credit - TOKEN : credit, at: now });
      return granted ? 0 : Math.ceil((TOKEN - credit) / rate.perSecond);
    },
  };
}
