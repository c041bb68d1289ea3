import type { Progress } from '@mcp-codegen/runtime/server';

/** How many numbers are tried between two reports. */
const SLICE = 10_000;

/** Runs in a thread: it may keep a core busy for as long as it takes. */
export function run(
  { limit }: { readonly limit: number },
  report: (progress: Progress) => void,
): number {
  let primes = 0;
  for (let start = 2; start <= limit; start += SLICE) {
    const end = Math.min(start + SLICE - 1, limit);
    for (let number = start; number <= end; number += 1) if (isPrime(number)) primes += 1;
    report({ progress: end, total: limit, message: `${primes} so far` });
  }
  return primes;
}

function isPrime(number: number): boolean {
  for (let factor = 2; factor * factor <= number; factor += 1) {
    if (number % factor === 0) return false;
  }
  return true;
}
