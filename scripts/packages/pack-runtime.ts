/**
 * Packs the built runtime into `dist/vendor/` for `new` and `update`, because the package is not on a
 * registry yet. The name contains a hash of the contents, so that a lock file treats another build of the
 * same version as another package.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './entries.js';

const HASH_CHARACTERS = 12;
const folder = join(ROOT, 'dist/vendor');

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
// Skips the package's prepack, because the build has just run.
const printed = execFileSync(
  npm,
  ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
  { cwd: join(ROOT, 'runtime'), encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
);
const [packed] = JSON.parse(printed) as { filename: string; version: string }[];
if (!packed) throw new Error(`npm pack printed ${printed}`);
const written = join(folder, packed.filename);
const hash = createHash('sha256').update(readFileSync(written)).digest('hex');
const name = `mcp-codegen-runtime-${packed.version}-${hash.slice(0, HASH_CHARACTERS)}.tgz`;
renameSync(written, join(folder, name));
