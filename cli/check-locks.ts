import { packageVersion } from '../generator/read/load/version.js';
import type { Report } from './command.js';
import type { ConfiguredLock } from './config-file.js';
import { EXIT } from './exit.js';
import type { ExitCode } from './exit.js';
import type { Io } from './io.js';
import { lockReport } from './lock-report.js';
import { compareAll, lockingOf } from './locks.js';

/** Compares the locks of the configuration with their servers. */
export async function checkLocks(locks: readonly ConfiguredLock[], io: Io): Promise<Report> {
  const lockings = locks.map((lock) => lockingOf(lock, { noInput: true }));
  const help = 'To check without the servers, add --offline.';
  const found = await compareAll(lockings, io, { help });
  return await lockReport(found, { failOn: 'text', format: 'text', version: packageVersion() });
}

/** Two reports as one. Stale files and locks come before other problems. */
export function together(one: Report, other: Report): Report {
  const codes: readonly ExitCode[] = [EXIT.stale, EXIT.invalid, EXIT.done];
  return {
    exitCode: codes.find((code) => [one.exitCode, other.exitCode].includes(code)) ?? one.exitCode,
    data: { ...one.data, ...other.data },
    diagnostics: [...(one.diagnostics ?? []), ...(other.diagnostics ?? [])],
    text: (paint) => one.text(paint) + other.text(paint),
  };
}
