import type { Clock } from './clock.js';
import { createLruMap } from './lru-map.js';

/**
 * When a retry may succeed, of operations that fail for a while: of a full cap, or of a store that is away. What has
 * lasted for some time is expected to last as long again. So a client that keeps to it asks ever more rarely.
 */
export interface Waits {
  /** Notes a failure. Returns milliseconds, from `least` to `most`. */
  failed(key: string): number;
  /** What failed under this key works again. Returns whether it had failed. */
  worked(key: string): boolean;
}

export interface WaitLimits {
  readonly least: number;
  readonly most: number;
  /** Keys that are remembered; the one that failed first is dropped. */
  readonly keys: number;
}

export function createWaits(clock: Clock, { least, most, keys }: WaitLimits): Waits {
  const since = createLruMap<number>(keys);
  return {
    failed(key) {
      const now = clock.monotonic();
      const began = since.get(key) ?? now;
      if (began === now) since.set(key, now);
      return Math.min(Math.max(Math.ceil(now - began), least), most);
    },
    worked: (key) => since.delete(key),
  };
}
