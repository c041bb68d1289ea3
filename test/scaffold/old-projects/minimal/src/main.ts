import { parseArgs } from 'node:util';
import { exitWithReason, preferSmallHeap, runUntilStopped } from '@mcp-codegen/runtime/server';
import { startServer, VERSION } from './server.js';

/** What to set when the server does not start, by the name of the error. */
const HINTS: Readonly<Record<string, string>> = {
  ListenError: 'PORT and HOST set the address.',

  OpenError: 'DATABASE sets the file.',
};
const USAGE = 'Usage: node dist/main.js [--debug] [--help] [--version]';

try {
  const flag = { type: 'boolean' } as const;
  const options = { debug: flag, help: { ...flag, short: 'h' }, version: { ...flag, short: 'v' } };
  const { help, version } = parseArgs({ options }).values;
  if (help || version) {
    console.log(help ? [USAGE, ...Object.values(HINTS)].join('\n') : VERSION);
    process.exit();
  }
  // Remove it when throughput matters more than memory.
  preferSmallHeap();
  await runUntilStopped(startServer);
} catch (error) {
  exitWithReason(error, { debug: process.argv.includes('--debug'), hints: HINTS });
}
