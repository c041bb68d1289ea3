import type { Clock } from './clock.js';
import { createLruMap } from './lru-map.js';

/** Token buckets, one for each owner. */
export interface RateLimiter {
  /** Takes a token. Returns 0, or how many milliseconds until there is one. */
  take(owner: string): number;
}

export function createRateLimiter(
  clock: Clock,
  rate: { readonly perSecond: number; readonly burst: number; readonly owners: number },
): RateLimiter {
  const buckets = createLruMap<{ tokens: number; at: number }>(rate.owners);

  return {
    take(owner) {
      const now = clock.monotonic();
      const bucket = buckets.get(owner) ?? { tokens: rate.burst, at: now };
      const refill = ((now - bucket.at) * rate.perSecond) / 1000;
      const tokens = Math.min(bucket.tokens + refill, rate.burst);
      const granted = tokens >= 1;
      buckets.set(owner, { tokens: granted ? tokens - 1 : tokens, at: now });
      return granted ? 0 : Math.ceil(((1 - tokens) * 1000) / rate.perSecond);
    },
  };
}
