/**
 * `npm run docs` writes what follows from the code and from data: the pages of commands and of the
 * programmatic API, the tables of peers and of the rules of hosts, the figures, and `llms.txt`. With `--check` it only
 * lists the files that are out of date (exit code 4). Stale results of the bench cannot be mended here, so it
 * says how to measure again.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { readContents } from '../site/contents.js';
import { llmsText } from '../site/llms.js';
import { apiPage } from './api.js';
import { commandsPage } from './commands.js';
import { figureFiles, figuresPage, readFigures, staleResults, withFigures } from './figures.js';
import { withRules } from './hosts.js';
import { readPeers, withPeers } from './peers.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const results = readFigures(ROOT);
const peers = withPeers(readFileSync(`${ROOT}docs/peers.md`, 'utf8'), readPeers(ROOT));

const { description } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
  description: string;
};

const pages: readonly (readonly [string, string])[] = [
  ['docs/commands.md', await commandsPage()],
  ['docs/peers.md', withFigures(peers, results)],
  ['docs/api.md', apiPage(`${ROOT}generator/index.ts`)],
  ['docs/figures.md', figuresPage(results)],
  ['docs/hosts.md', withRules(readFileSync(`${ROOT}docs/hosts.md`, 'utf8'))],
  ['llms.txt', llmsText(description, readContents(ROOT))],
  ...figureFiles(results),
];

const options = await resolveConfig(`${ROOT}package.json`);
const stale: string[] = [];
for (const [path, text] of pages) {
  const parser = path === 'llms.txt' ? ({ parser: 'markdown' } as const) : { filepath: path };
  const wanted = path.endsWith('.svg') ? text : await format(text, { ...options, ...parser });
  if (existsSync(ROOT + path) && readFileSync(ROOT + path, 'utf8') === wanted) continue;
  stale.push(path);
  if (!process.argv.includes('--check')) writeFileSync(ROOT + path, wanted);
}
if (stale.length > 0 && process.argv.includes('--check')) {
  console.error(`Out of date: ${stale.join(', ')}. Run npm run docs and read what changes.`);
  process.exitCode = 4;
}
const unmeasured = staleResults(results);
for (const each of unmeasured) console.error(each);
if (unmeasured.length > 0) process.exitCode = 4;
