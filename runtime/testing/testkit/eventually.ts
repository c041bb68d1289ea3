import assert from 'node:assert/strict';

/** Longer than any store takes to report a change. */
export const LONGEST_WAIT_MS = 60_000;

export async function eventually(
  what: string,
  condition: () => boolean,
  waitMs = LONGEST_WAIT_MS,
): Promise<void> {
  const until = performance.now() + waitMs;
  while (!condition()) {
    assert.ok(performance.now() < until, `No report within ${waitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
