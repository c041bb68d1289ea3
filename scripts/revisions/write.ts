import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { WRITTEN } from './modules.js';
import { readTable } from './table.js';

/** Writes the files that follow from the table. Returns the paths of those that changed. */
export async function writeModules(root: string): Promise<string[]> {
  const changed = await changedIn(root);
  for (const [path, text] of changed) writeFileSync(root + path, text);
  return changed.map(([path]) => path);
}

/** The paths of the files that do not follow from the table. */
export async function staleModules(root: string): Promise<string[]> {
  return (await changedIn(root)).map(([path]) => path);
}

async function changedIn(root: string): Promise<(readonly [path: string, text: string])[]> {
  const table = readTable(root);
  const options = await resolveConfig(`${root}package.json`);
  const written = await Promise.all(
    WRITTEN.map(async ([path, textOf]) => {
      const before = existsSync(root + path) ? readFileSync(root + path, 'utf8') : '';
      const text = await format(textOf(table, before), { ...options, filepath: path });
      return [path, text, before] as const;
    }),
  );
  return written.filter(([, text, before]) => text !== before).map(([path, text]) => [path, text]);
}
