import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { buildSync } from 'esbuild';

/** Inside the repository, where the code finds its packages. */
const FOLDER = fileURLToPath(new URL('../../.cache/programs', import.meta.url));

/**
 * Compiles a program and what it imports from this repository, and returns the path of the JavaScript. Tests
 * start programs often, and a TypeScript loader takes four times as long as a start without one.
 */
export function compiled(source: URL): string {
  const name = basename(source.pathname, '.ts');
  const { outputFiles } = buildSync({
    entryPoints: { [name]: fileURLToPath(source) },
    outdir: FOLDER,
    outExtension: { '.js': '.mjs' },
    ...{ bundle: true, splitting: true, packages: 'external', sourcemap: 'inline' },
    ...{ platform: 'node', format: 'esm', target: 'node20', logLevel: 'warning', write: false },
  });
  const hash = createHash('sha256');
  for (const { hash: content } of outputFiles) hash.update(content);
  const folder = join(FOLDER, `${name}-${hash.digest('hex').slice(0, 16)}`);
  if (!existsSync(folder)) writeAtOnce(folder, outputFiles);
  return join(folder, `${name}.mjs`);
}

/** Tests that run side by side compile the same program: the folder appears with all of its files. */
function writeAtOnce(
  folder: string,
  files: readonly { readonly path: string; readonly contents: Uint8Array }[],
): void {
  mkdirSync(FOLDER, { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  for (const { path, contents } of files) writeFileSync(join(draft, basename(path)), contents);
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}
