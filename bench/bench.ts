import type { Figure } from './figure.js';

/** One line of the report: a goal, our figure and the peer's, taken in the same run. */
export interface Row {
  readonly row: string;
  readonly goal: string;
  readonly ours: string;
  readonly peer: string;
  /** Whether our figure meets the goal; null when the row has no goal. */
  readonly met: boolean | null;
  /** What is drawn of the row: the samples of each contender. */
  readonly figure?: Figure;
  /** What was found, such as names of files: printed with `--details`. */
  readonly details?: readonly string[];
}

export interface Bench {
  readonly name: string;
  readonly run: () => Promise<Row[]>;
}

/** The value below which `share` (0 to 1) of the samples lie. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)] ?? NaN;
}

/** Milliseconds, rounded to significant digits. */
export function ms(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export function report(rows: readonly Row[]): string {
  const columns = ['row', 'goal', 'ours', 'peer'] as const;
  const widths = columns.map((column) =>
    Math.max(column.length, ...rows.map((row) => row[column].length)),
  );
  const line = (cells: readonly string[], mark: string): string =>
    [...cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)), mark].join('  ').trimEnd();
  const marks = rows.map(({ met }) => (met === null ? '' : met ? 'met' : 'MISSED'));
  return [
    line([...columns], ''),
    ...rows.map((row, index) =>
      line(
        columns.map((column) => row[column]),
        marks[index] ?? '',
      ),
    ),
  ].join('\n');
}
