import { printable } from '../json-schema/text.js';
import type { Paint } from '../generator/diagnostics/index.js';
import type { Report } from './command.js';
import { EXIT } from './exit.js';
import { fails, sayPromises } from './locks.js';
import type { ComparedLocks, FailOn } from './locks.js';

export type LockFormat = 'text' | 'sarif' | 'markdown';

interface Options {
  readonly failOn: FailOn;
  readonly format: LockFormat;
  /** The version of this program. */
  readonly version: string;
}

/** The report on locks that were compared. Changes come before servers that could not be asked. */
export async function lockReport(
  { compared, diagnostics }: ComparedLocks,
  { failOn, format, version }: Options,
): Promise<Report> {
  const { changesAsMarkdown, changesAsSarif, changesAsText, countVerdicts, sayCounts } =
    await import('../contracts/lock/index.js');
  const text = (paint: Paint): string => {
    if (format === 'sarif')
      return `${JSON.stringify(changesAsSarif(compared, version), null, 2)}\n`;
    if (format === 'markdown') {
      return compared.map(({ changes, file }) => changesAsMarkdown(changes, file)).join('\n');
    }
    return compared
      .map(({ file, changes, before }) => {
        const shown = printable(file);
        if (changes.length === 0) return `Up to date: ${shown}, ${sayPromises(before)}.\n`;
        const help = fails(changes, failOn)
          ? 'To accept the changes, write the lock again: mcp-codegen lock.'
          : 'Write the lock again to include them: mcp-codegen lock.';
        return `${changesAsText(changes, paint)}${shown}: ${sayCounts(changes)}. ${help}\n`;
      })
      .join('\n');
  };
  const isStale = compared.some(({ changes }) => fails(changes, failOn));
  return {
    exitCode: isStale ? EXIT.stale : diagnostics.length > 0 ? EXIT.invalid : EXIT.done,
    diagnostics,
    data: {
      failOn,
      locks: compared.map(({ file, before, after, changes }) => ({
        file,
        revision: { lock: before.revision, server: after.revision },
        counts: countVerdicts(changes),
        fails: fails(changes, failOn),
        changes,
      })),
    },
    text,
  };
}
