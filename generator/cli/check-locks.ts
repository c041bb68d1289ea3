import type { Diagnostic } from '../diagnostics/index.js';
import { packageVersion } from '../load/index.js';
import type { Report } from './command.js';
import type { ConfiguredLock } from './config-file.js';
import { CommandFailure, EXIT } from './exit.js';
import type { ExitCode } from './exit.js';
import type { Io } from './io.js';
import { lockReport } from './lock-report.js';
import { compareLock, lockingOf, shownPath } from './locks.js';
import type { ComparedLock } from './locks.js';

/** Compares the locks of the configuration with their servers. One that cannot be asked does not hide the others. */
export async function checkLocks(locks: readonly ConfiguredLock[], io: Io): Promise<Report> {
  const compared: ComparedLock[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const lock of locks) {
    try {
      compared.push(await compareLock(lockingOf(lock, { noInput: true }), io));
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      diagnostics.push({
        code: 'unreachable-server',
        severity: 'error',
        message: error.message,
        source: shownPath(lock.file, io),
        help: error.help ?? 'To check without the servers, add --offline.',
      });
    }
  }
  const options = { failOn: 'text', format: 'text', version: packageVersion() } as const;
  const report = await lockReport(compared, options);
  if (diagnostics.length === 0 || report.exitCode !== EXIT.done) return { ...report, diagnostics };
  return { ...report, diagnostics, exitCode: EXIT.invalid };
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
