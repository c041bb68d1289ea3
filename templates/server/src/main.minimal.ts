import { exitWithReason, preferSmallHeap, runUntilStopped } from '@mcp-codegen/runtime/server';
import { startServer } from './server.minimal.js';

try {
  // Remove it when throughput matters more than memory.
  preferSmallHeap();
  await runUntilStopped(startServer);
} catch (error) {
  exitWithReason(error, {
    debug: process.argv.includes('--debug'),
    // @when hinted
    hints: {
      /** @when http */
      ListenError: 'PORT and HOST set the address.',
      /** @when sqlite */
      OpenError: 'DATABASE sets the file.',
      /** @when postgres */
      PostgresError: 'DATABASE_URL sets the address; without it PGHOST, PGPORT and so on do.',
    },
  });
}
