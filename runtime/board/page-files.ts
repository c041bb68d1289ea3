import { readdirSync, readFileSync } from 'node:fs';

/**
 * The texts of the files in `page/`, by name. `scripts/packages/bundle.ts` replaces this module by one that contains the
 * texts, so that the board needs no file beside it, also in a bundle of a server.
 */
export function pageFiles(): Readonly<Record<string, string>> {
  const folder = new URL('page/', import.meta.url);
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]),
  );
}
