import { describe, it } from 'vitest';

import { executorChecks } from '../../runtime/testing/testkit/index.js';
import type { TaskExecutor } from '../../runtime/tasks/index.js';

/** The lease of the executors that are tried. */
export const LEASE_MS = 10_000;

/** Tries the promises of `runtime/executors/README.md`. */
export function describeExecutor(name: string, create: () => TaskExecutor): void {
  describe(`the ${name} executor`, () => {
    for (const { name, run } of executorChecks({ create, leaseMs: LEASE_MS })) it(name, run);
  });
}
