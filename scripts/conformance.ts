import { clientConformance } from './conformance/client.js';
import { serverConformance } from './conformance/server.js';
import { THROUGH } from './conformance/through.js';

/**
 * Runs the official conformance suite: directly, and through what may stand between. No failure is expected. An argument
 * (`nothing`, `record` or `guard`) runs it in that way alone.
 */
const [only] = process.argv.slice(2);
const chosen = THROUGH.filter((through) => only === undefined || through.split(' ', 1)[0] === only);
if (chosen.length === 0) throw new Error(`Unknown: ${String(only)}. Use nothing, record or guard.`);
const PARTS = chosen.flatMap((through) => [
  () => serverConformance(through),
  () => clientConformance(through),
]);

let failures = 0;
for (const part of PARTS) {
  for await (const { what, passed, counts, problems, repeated } of part()) {
    const { SUCCESS, FAILURE, WARNING, SKIPPED } = counts;
    console.log(
      `${passed ? 'ok  ' : 'FAIL'} ${what}: ${SUCCESS} passed, ${FAILURE} failed, ${WARNING} warnings, ${SKIPPED} skipped`,
    );
    for (const problem of problems) console.log(`     ${problem}`);
    for (const scenario of repeated) console.log(`     repeated, because it failed: ${scenario}`);
    if (!passed) failures += 1;
  }
}
process.exitCode = failures === 0 ? 0 : 1;
