import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { npm } from '../npm.js';
import { declarationsOf } from './declarations.js';

/** A tarball of a package. */
export interface Packed {
  readonly name: string;
  readonly version: string;
  /** Its name in the folder that it was written to. */
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/**
 * Packs a package into a folder without its scripts, which work in the repository only: npm would warn of `prepare`.
 * The tarball has only the declarations that the package's entries lead to, and no file for which `leavesOut` is true.
 */
export function packInto(
  folder: string,
  root: string,
  leavesOut: (path: string) => boolean = () => false,
): Packed {
  const staged = mkdtempSync(join(tmpdir(), 'mcp-codegen-pack-'));
  const declarations = declarationsOf(root);
  for (const { path } of npmPack(root, '--dry-run').files) {
    const isInner = /^dist\/.*\.d\.ts$/.test(path) && !declarations.has(join(root, path));
    if (isInner || leavesOut(path)) continue;
    mkdirSync(dirname(join(staged, path)), { recursive: true });
    copyFileSync(join(root, path), join(staged, path));
  }
  const manifest = join(staged, 'package.json');
  const { scripts: _, ...kept } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    scripts?: object;
  };
  writeFileSync(manifest, `${JSON.stringify(kept, null, 2)}\n`);
  const packed = npmPack(staged, '--pack-destination', folder);
  rmSync(staged, { recursive: true });
  return packed;
}

function npmPack(root: string, ...options: string[]): Packed {
  // Skips the package's prepack, because the build has just run.
  const printed = npm(['pack', '--json', '--ignore-scripts', ...options], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [packed] = JSON.parse(printed) as Packed[];
  if (!packed) throw new Error(`npm pack printed ${printed}`);
  return packed;
}
