const FACTOR = Number(process.env['TEST_SIZE'] ?? 1);
if (!(FACTOR > 0)) throw new Error('TEST_SIZE must be a number above 0');

/** How many cases a test draws or repeats: `TEST_SIZE=10` multiplies all, and `TEST_SIZE=0.1` divides them. */
export function sized(count: number): number {
  return Math.max(1, Math.round(count * FACTOR));
}
