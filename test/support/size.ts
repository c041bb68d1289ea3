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
export const sized = scaled(Number(process.env['TEST_SIZE'] ?? 1));
