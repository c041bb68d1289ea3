import { readFileSync } from 'node:fs';

/** The rows of the first table below a heading (`## Limits`) of a page in `docs/`: the texts of their cells. */
export function rowsUnder(page: string, heading: string): string[][] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  const [, section] = text.split(`\n${heading}\n`);
  const table = section === undefined ? undefined : /(?:^\|.*\n)+/m.exec(section)?.[0];
  if (table === undefined) throw new Error(`docs/${page} has no table below "${heading}"`);
  // After the titles and the line below them.
  const rows = table.trimEnd().split('\n').slice(2);
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The texts in a cell that are marked as code. */
export const codeIn = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
