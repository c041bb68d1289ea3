const factor = Number(process.env['TEST_SIZE'] ?? 1);

/** Fewer cases than this rarely contain both verdicts, and save no time. */
const FEWEST = 10;

/**
 * How many cases of a count are drawn at a factor: at least 10, or the count when that is less.
 *
 * @throws when the factor is not a number above 0.
 */
export function scaled(factor: number): (count: number) => number {
  if (!(factor > 0)) throw new Error('TEST_SIZE must be a number above 0');
  return (count) => Math.max(Math.min(count, FEWEST), Math.round(count * factor));
}

/**
 * How many cases of a count a test draws or repeats. The factor is `TEST_SIZE`: by default 0.1 in the project `unit`, else 1.
 */
export const sized = scaled(factor);

/** A list from `TEST_SIZE=1` on, else so many of its entries: the last one, and others spread evenly before it. */
export function sampled<T>(all: readonly T[], count: number): readonly T[] {
  return factor < 1 ? spread(all, count) : all;
}

export function spread<T>(all: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, all.length / count);
  return all.filter((_, index) => Math.floor((index + 1) / step) > Math.floor(index / step));
}
