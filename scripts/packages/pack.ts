/**
 * Packs the built runtime and then the tool into `dist/vendor/` for `new` and `update`, because they are
 * not on a registry yet. The names contain a hash of the contents, so that a lock file treats another build
 * of the same version as another package.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { declarationsOf } from './declarations.js';
import { ROOT } from './entries.js';

const HASH_CHARACTERS = 12;
const folder = join(ROOT, 'dist/vendor');

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
pack(join(ROOT, 'runtime'), 'mcp-codegen-runtime');
// The tool's tarball contains the runtime's, so that projects can be updated, but not itself.
pack(ROOT, 'mcp-codegen');

function pack(root: string, name: string): void {
  const staged = stage(root);
  const { filename, version } = npmPack(staged, '--pack-destination', folder);
  rmSync(staged, { recursive: true });
  const written = join(folder, filename);
  const hash = createHash('sha256').update(readFileSync(written)).digest('hex');
  const file = `${name}-${version}-${hash.slice(0, HASH_CHARACTERS)}.tgz`;
  renameSync(written, join(folder, file));
}

/**
 * Copies a package without its scripts, which work in the repository only: npm would warn of `prepare`. It has only
 * the declarations that its entries lead to.
 */
function stage(root: string): string {
  const staged = mkdtempSync(join(tmpdir(), 'mcp-codegen-pack-'));
  const declarations = declarationsOf(root);
  for (const { path } of npmPack(root, '--dry-run').files) {
    const isInner = /^dist\/.*\.d\.ts$/.test(path) && !declarations.has(join(root, path));
    if (isInner) continue;
    mkdirSync(dirname(join(staged, path)), { recursive: true });
    copyFileSync(join(root, path), join(staged, path));
  }
  const manifest = join(staged, 'package.json');
  const { scripts: _, ...kept } = JSON.parse(readFileSync(manifest, 'utf8')) as { scripts: object };
  writeFileSync(manifest, `${JSON.stringify(kept, null, 2)}\n`);
  return staged;
}

interface Packed {
  readonly filename: string;
  readonly version: string;
  readonly files: readonly { readonly path: string }[];
}

function npmPack(root: string, ...options: string[]): Packed {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  // Skips the package's prepack, because the build has just run.
  const printed = execFileSync(npm, ['pack', '--json', '--ignore-scripts', ...options], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [packed] = JSON.parse(printed) as Packed[];
  if (!packed) throw new Error(`npm pack printed ${printed}`);
  return packed;
}
