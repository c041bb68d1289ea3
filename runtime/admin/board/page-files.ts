import { readFileSync } from 'node:fs';

const NAMES = ['board.css', 'board.js'];

/**
 * The texts of the bundles of `page/`, by name. `scripts/packages/bundle.ts` replaces this module by one that contains
 * the texts, so that the board needs no file beside it, also in a bundle of a server.
 */
export function pageFiles(): Readonly<Record<string, string>> {
  const folder = new URL('../../dist/pages/', import.meta.url);
  return Object.fromEntries(
    NAMES.map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]),
  );
}
