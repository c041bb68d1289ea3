/**
 * Packs the built runtime and then the tool into `dist/vendor/` for `new` and `update` of a build from a clone. The names
 * contain a hash of the contents, so that a lock file treats another build of the same version as another package.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './entries.js';
import { packInto } from './stage.js';

const HASH_CHARACTERS = 12;
const folder = join(ROOT, 'dist/vendor');

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
pack(join(ROOT, 'runtime'), 'mcp-codegen-runtime');
// The tool's tarball contains the runtime's, so that projects can be updated, but not itself.
pack(ROOT, 'mcp-codegen');

function pack(root: string, name: string): void {
  const { filename, version } = packInto(folder, root);
  const written = join(folder, filename);
  const hash = createHash('sha256').update(readFileSync(written)).digest('hex');
  renameSync(written, join(folder, `${name}-${version}-${hash.slice(0, HASH_CHARACTERS)}.tgz`));
}
