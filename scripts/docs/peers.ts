import { readFileSync } from 'node:fs';
import { table } from './markdown.js';

/** A claim, and the test or the row of the benchmark that proves it, as `path: name`. */
export interface Cell {
  readonly says: string;
  readonly by: string;
}

/** What we and the peers have. A cell that no test or benchmark proves is null. */
export interface Peers {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly what: string; readonly cells: readonly (Cell | null)[] }[];
}

const START = '<!-- written from docs/peers.json by `npm run docs` -->\n';
const END = '<!-- end -->';

export function readPeers(root: string): Peers {
  return JSON.parse(readFileSync(`${root}docs/peers.json`, 'utf8')) as Peers;
}

/** A page with the table between its marks. */
export function withPeers(page: string, { columns, rows }: Peers): string {
  const [before, rest, ...more] = page.split(START);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error('README.md has no place for the table of peers');
  }
  const cells = rows.map(({ what, cells }) => [what, ...cells.map((cell) => cell?.says ?? '')]);
  return `${before}${START}\n${table(['', ...columns], cells)}\n${END}${after}`;
}
