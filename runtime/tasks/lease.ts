import type { Clock } from './clock.js';

/**
 * What this process knows of its executor's lease: while it lasts, no other worker takes tasks over. Times are
 * of the monotonic clock. Without an executor that renews one, it lasts for ever.
 */
export interface Lease {
  /** The store has the lease until then. */
  renewed(until: number): void;
  isValid(): boolean;
  /** Whether the executor renews it. */
  isRenewed(): boolean;
  /** Whether it has lasted from then until now. */
  coversSince(moment: number): boolean;
}

export function createLease(clock: Clock): Lease {
  let since = -Infinity;
  let until = Infinity;
  const isValid = (): boolean => clock.monotonic() < until;
  return {
    renewed(next) {
      // There was a gap, in which others may have taken tasks over.
      if (!isValid()) since = clock.monotonic();
      until = next;
    },
    isValid,
    isRenewed: () => until !== Infinity,
    coversSince: (moment) => isValid() && moment >= since,
  };
}
