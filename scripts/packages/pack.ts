/**
 * Packs the built runtime and then the tool into `dist/vendor/` for `new` and `update`, because they are
 * not on a registry yet. The names contain a hash of the contents, so that a lock file treats another build
 * of the same version as another package.
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
pack(join(ROOT, 'runtime'), 'mcp-codegen-runtime');
// The tool's tarball contains the runtime's, so that projects can be updated, but not itself.
pack(ROOT, 'mcp-codegen');

function pack(root: string, name: string): void {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  // Skips the package's prepack, because the build has just run.
  const printed = execFileSync(
    npm,
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [packed] = JSON.parse(printed) as { filename: string; version: string }[];
  if (!packed) throw new Error(`npm pack printed ${printed}`);
  const written = join(folder, packed.filename);
  const hash = createHash('sha256').update(readFileSync(written)).digest('hex');
  const file = `${name}-${packed.version}-${hash.slice(0, HASH_CHARACTERS)}.tgz`;
  renameSync(written, join(folder, file));
}
