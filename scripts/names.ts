/**
 * `npm run names`: writes `runtime/protocol.ts`, the names and codes of all generated protocol
 * tables, so that the runtime contains none of them as literals and loads no revision for a name. With
 * `--check` it only checks whether the file is up to date (exit code 4).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { protocolNames } from './protocol-names.js';
import type { Tables } from './protocol-names.js';
import { readTable } from './revisions/table.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PATH = `${ROOT}runtime/protocol.ts`;

const folders = Object.keys(readTable(ROOT).revisions).filter((folder) =>
  existsSync(`${ROOT}generated/${folder}/validators.ts`),
);
const all = await Promise.all(
  folders.map(async (folder) => (await import(`../generated/${folder}/protocol.js`)) as Tables),
);

const { text, leftOut } = protocolNames(all);
for (const each of leftOut) console.error(`The runtime leaves out a value of ${each}.`);

const options = await resolveConfig(PATH);
const wanted = await format(text, { ...options, filepath: PATH });
const isCurrent = existsSync(PATH) && readFileSync(PATH, 'utf8') === wanted;
if (!isCurrent && process.argv.includes('--check')) {
  console.error('Out of date: runtime/protocol.ts. Run npm run names and read what changes.');
  process.exitCode = 4;
} else if (!isCurrent) {
  writeFileSync(PATH, wanted);
}
