import { printable } from '../../json-schema/text.js';
import type { Paint } from '../diagnostics/index.js';

/** Rows in aligned columns. Cells may contain untrusted text. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Paint,
): string {
  const cells = [head, ...rows].map((row) => row.map(printable));
  const widths = head.map((_, column) =>
    Math.max(...cells.map((row) => [...(row[column] ?? '')].length)),
  );
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd(),
  );
  return lines.map((line, index) => `${index === 0 ? paint.bold(line) : line}\n`).join('');
}
