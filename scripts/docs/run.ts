/**
 * `npm run docs` writes what follows from the code and from data: the pages of commands and of the
 * programmatic API, and the table of peers in README.md. With
 * `--check` it only lists the pages that are out of date (exit code 4).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { apiPage } from './api.js';
import { commandsPage } from './commands.js';
import { readPeers, withPeers } from './peers.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const pages: readonly (readonly [string, string])[] = [
  ['docs/commands.md', await commandsPage()],
  ['README.md', withPeers(readFileSync(`${ROOT}README.md`, 'utf8'), readPeers(ROOT))],
  ['docs/api.md', apiPage(`${ROOT}generator/index.ts`)],
];

const options = await resolveConfig(`${ROOT}package.json`);
const stale: string[] = [];
for (const [path, text] of pages) {
  const wanted = await format(text, { ...options, filepath: path });
  if (existsSync(ROOT + path) && readFileSync(ROOT + path, 'utf8') === wanted) continue;
  stale.push(path);
  if (!process.argv.includes('--check')) writeFileSync(ROOT + path, wanted);
}
if (stale.length > 0 && process.argv.includes('--check')) {
  console.error(`Out of date: ${stale.join(', ')}. Run npm run docs and read what changes.`);
  process.exitCode = 4;
}
