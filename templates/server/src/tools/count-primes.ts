import * as z from 'zod';
import { defineTool, inThread } from '@mcp-codegen/runtime/server';
import type * as thread from './count-primes.thread.js';

const THREAD = new URL('./count-primes.thread.js', import.meta.url);

/** A long tool: it keeps a thread busy, reports progress, stops when cancelled, and may run as a task. */
export const countPrimes = defineTool({
  name: 'count-primes',
  description: 'Counts the prime numbers up to a limit.',
  input: z.strictObject({ limit: z.int().min(2).max(50_000_000) }),
  output: z.object({ primes: z.int() }),
  annotations: { readOnlyHint: true },
  taskSupport: 'optional',
  // Nothing is lost when it starts again, after a crash for instance.
  retryable: true,
  async run({ args, task }) {
    return {
      primes: await inThread<typeof thread>(THREAD, args, task),
    };
  },
});
