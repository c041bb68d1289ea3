import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { writtenFor } from './modules.js';
import { readTable } from './table.js';
import type { RevisionTable } from './table.js';

/** Writes the files that follow from the table. Returns the paths of those that changed. */
export async function writeModules(root: string): Promise<string[]> {
  const changed = await changedModules(root, readTable(root));
  for (const [path, text] of changed) {
    mkdirSync(dirname(root + path), { recursive: true });
    writeFileSync(root + path, text);
  }
  return changed.map(([path]) => path);
}

/** The paths of the files that do not follow from the table. */
export async function staleModules(root: string): Promise<string[]> {
  return (await changedModules(root, readTable(root))).map(([path]) => path);
}

/** The files that do not follow from `table`, with the texts that do. */
export async function changedModules(
  root: string,
  table: RevisionTable,
): Promise<(readonly [path: string, text: string])[]> {
  const options = await resolveConfig(`${root}package.json`);
  const written = await Promise.all(
    writtenFor(table).map(async ([path, textOf]) => {
      const before = existsSync(root + path) ? readFileSync(root + path, 'utf8') : '';
      const text = await format(textOf(table, before), { ...options, filepath: path });
      return [path, text, before] as const;
    }),
  );
  return written.filter(([, text, before]) => text !== before).map(([path, text]) => [path, text]);
}
