import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { resultsPage } from './page.js';
import { machineLine, writeResults, type Results } from './results.js';
import { isDrawn, panel } from './panel.js';
import { svgFile } from './svg.js';

/** Writes the page; into a folder, also an SVG for each row and the results. Returns the page's path. */
export function writeReport(path: string, all: readonly Results[]): string {
  const isFile = path.endsWith('.html');
  const folder = isFile ? dirname(path) : path;
  mkdirSync(folder, { recursive: true });
  const page = isFile ? path : join(folder, 'index.html');
  writeFileSync(page, resultsPage(all));
  if (isFile) return page;
  for (const results of all) {
    writeResults(folder, results);
    for (const { name, rows } of results.benches) {
      for (const row of rows.filter(isDrawn)) {
        const file = `${name}-${row.row}`.replace(/[^\w.]+/g, '-').slice(0, 120);
        const svg = svgFile(row.row, [panel(row)], machineLine(results));
        writeFileSync(join(folder, `${file}.svg`), svg);
      }
    }
  }
  return page;
}
