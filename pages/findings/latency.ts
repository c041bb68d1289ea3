/** Buckets of one decade, from 1 µs; so a value is known within 12 %. */
const PER_DECADE = 10;
const LOWEST = 1e-3;
const DECADES = 11;

/** What a method's answers took, in milliseconds, in constant memory. */
export class Latency {
  count = 0;
  least = Number.POSITIVE_INFINITY;
  most = 0;
  readonly buckets = new Uint32Array(PER_DECADE * DECADES);

  add(ms: number): void {
    this.count += 1;
    this.least = Math.min(this.least, ms);
    this.most = Math.max(this.most, ms);
    const bucket = bucketOf(ms);
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1;
  }

  /** The value that this part of all values does not exceed: 0.5 for the median. */
  quantile(part: number): number {
    let left = Math.ceil(this.count * part);
    for (const [bucket, count] of this.buckets.entries()) {
      left -= count;
      if (left <= 0) return Math.min(this.most, Math.max(this.least, middleOf(bucket)));
    }
    return this.most;
  }
}

function bucketOf(ms: number): number {
  const bucket = Math.floor(Math.log10(Math.max(ms, LOWEST) / LOWEST) * PER_DECADE);
  return Math.min(PER_DECADE * DECADES - 1, Math.max(0, bucket));
}

/** The middle of a bucket, in milliseconds. */
export function middleOf(bucket: number): number {
  return LOWEST * 10 ** ((bucket + 0.5) / PER_DECADE);
}
