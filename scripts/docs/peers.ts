import { readFileSync } from 'node:fs';
import { between, table } from './markdown.js';

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
  const cells = rows.map(({ what, cells }) => [what, ...cells.map((cell) => cell?.says ?? '')]);
  return between(page, START, END, table(['', ...columns], cells));
}
