import { printable } from '../json-schema/text.js';
import { findingAsText, mergeCounts, mergeRows, saySkipped } from '../contracts/validate/index.js';
import type { Finding, Tally } from '../contracts/validate/index.js';
import type { Emit, Report } from './command.js';
import { EXIT } from './exit.js';
import type { ExitCode } from './exit.js';
import type { Io } from './io.js';
import { Progress } from './progress.js';
import { sayMessages, summaryText } from '../pages/findings/summary.js';

/** One input and its counts. */
export interface Validated {
  readonly file: string;
  readonly tally: Tally;
}

interface PrinterOptions {
  /** The number of findings to print. */
  readonly limit: number;
  readonly quiet: boolean;
}

/** Prints findings at once, and progress on stderr. */
export class ValidationPrinter {
  /** The number of findings that were not printed. */
  omitted = 0;
  #printed = 0;
  #progress: Progress;

  constructor(
    readonly io: Io,
    readonly emit: Emit,
    readonly options: PrinterOptions,
  ) {
    this.#progress = new Progress(io.err);
  }

  finding(finding: Finding): void {
    if (this.options.quiet || this.#printed >= this.options.limit) {
      this.omitted += 1;
      return;
    }
    this.#printed += 1;
    this.#progress.clear();
    this.emit({ data: finding, text: (paint) => findingAsText(finding, paint) });
  }

  /** Shows progress, then waits until the output has drained. */
  async progress(file: string, bytes: number, tally: Tally): Promise<void> {
    if (!this.options.quiet) {
      const megabytes = (bytes / 1e6).toFixed(0);
      this.#progress.show(() => `${file}: ${megabytes} MB, ${sayMessages(tally.counts)}`);
    }
    await this.io.out.drained();
  }

  end({ file, tally }: Validated): void {
    if (this.options.quiet) return;
    this.#progress.clear();
    const revisions = tally.revisions.size > 0 ? ` of ${[...tally.revisions].join(', ')}` : '';
    this.io.err.write(printable(`${file}: ${sayMessages(tally.counts, revisions)}`) + '\n');
    const skipped = saySkipped(tally);
    if (skipped !== '') this.io.err.write(`${printable(`${file}: skipped ${skipped}`)}\n`);
  }

  /** Says on stderr where the page is, and what its reader has to know. */
  report(path: string, notices: readonly string[]): void {
    if (this.options.quiet) return;
    this.io.err.write(
      [`Report: ${path}`, ...notices].map((line) => `${printable(line)}\n`).join(''),
    );
  }
}

export function reportOn(validated: readonly Validated[], omitted: number, quiet: boolean): Report {
  const tallies = validated.map(({ tally }) => tally);
  const summary = mergeCounts(tallies);
  const methods = mergeRows(tallies);
  return {
    exitCode: exitCodeOf(tallies),
    data: {
      files: validated.map(({ file, tally }) => ({
        file,
        revisions: [...tally.revisions],
        ...tally.counts,
        skippedLines: tally.skipped,
        findings: tally.findings,
      })),
      summary: { ...summary, omitted },
      methods,
    },
    text: (paint) => (quiet ? '' : summaryText(summary, methods, omitted, paint)),
  };
}

function exitCodeOf(tallies: readonly Tally[]): ExitCode {
  if (tallies.some(({ findings }) => findings.error > 0)) return EXIT.invalid;
  return tallies.some(({ findings }) => findings.unclear > 0) ? EXIT.usage : EXIT.done;
}
