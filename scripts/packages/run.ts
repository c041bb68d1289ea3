/**
 * `npm run packages` writes files from the list of entries: the runtime's `exports`, the compiler's
 * `paths`, and the public API. With `--check` it only lists the files that are out of date (exit code 4).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { apiSurface } from './api-surface.js';
import { ROOT, runtimeEntries } from './entries.js';
import { exportsOf, pathsOf } from './exports.js';

const entries = runtimeEntries();

function packageJson(): string {
  const path = `${ROOT}runtime/package.json`;
  const document = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  return JSON.stringify({ ...document, exports: exportsOf(entries) });
}

const files: readonly (readonly [string, string])[] = [
  ['runtime/package.json', packageJson()],
  ['tsconfig.paths.json', JSON.stringify({ compilerOptions: { paths: pathsOf(entries) } })],
  ['docs/api-surface.md', apiSurface()],
];

const options = await resolveConfig(`${ROOT}package.json`);
const stale: string[] = [];
for (const [path, text] of files) {
  const wanted = await format(text, { ...options, filepath: path });
  if (existsSync(ROOT + path) && readFileSync(ROOT + path, 'utf8') === wanted) continue;
  stale.push(path);
  if (!process.argv.includes('--check')) writeFileSync(ROOT + path, wanted);
}
if (stale.length > 0 && process.argv.includes('--check')) {
  console.error(`Out of date: ${stale.join(', ')}. Run npm run packages and read what changes.`);
  process.exitCode = 4;
}
