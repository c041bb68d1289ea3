import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { defineTool } from '../mcp/index.js';

/** Small enough to answer others in between. */
const SLICE = 10_000;

/** A long tool: it reports progress, stops when it is cancelled, and may run as a task. */
export const countPrimes = defineTool({
  name: 'count-primes',
  description: 'Counts the prime numbers up to a limit.',
  input: z.object({ limit: z.int().min(2).max(5_000_000) }),
  output: z.object({ primes: z.int() }),
  annotations: { readOnlyHint: true },
  taskSupport: 'optional',
  // Nothing is lost when it starts again, after a crash for instance.
  rerunnable: true,
  async run({ args: { limit }, task }) {
    let primes = 0;
    for (let start = 2; start <= limit; start += SLICE) {
      const end = Math.min(start + SLICE - 1, limit);
      for (let number = start; number <= end; number += 1) if (isPrime(number)) primes += 1;
      task.progress({ progress: end, total: limit, message: `${primes} so far` });
      await setImmediate();
      task.signal.throwIfAborted();
    }
    return { primes };
  },
});

function isPrime(number: number): boolean {
  for (let factor = 2; factor * factor <= number; factor += 1) {
    if (number % factor === 0) return false;
  }
  return true;
}
