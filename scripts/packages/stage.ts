import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { packFolder } from '../../generator/read/load/index.js';
import { npm } from '../npm.js';
import { declarationsOf } from './declarations.js';
import { ROOT } from './entries.js';

/** A tarball of a package. */
export interface Packed {
  readonly name: string;
  readonly version: string;
  /** Its name in the folder that it was written to. */
  readonly fileName: string;
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
  const paths = filesOf(root).filter((path) => {
    const isInner = /^dist\/.*\.d\.ts$/.test(path) && !declarations.has(join(root, path));
    return !isInner && !leavesOut(path);
  });
  for (const path of paths) {
    mkdirSync(dirname(join(staged, path)), { recursive: true });
    copyFileSync(join(root, path), join(staged, path));
    if (path.endsWith('.md')) linkToRepository(join(staged, path), join(root, path), paths, root);
  }
  const manifest = join(staged, 'package.json');
  const { scripts: _, ...kept } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly scripts?: object;
  };
  writeFileSync(manifest, `${JSON.stringify(kept, null, 2)}\n`);
  const { fileName, bytes } = packFolder(staged);
  writeFileSync(join(folder, fileName), bytes);
  rmSync(staged, { recursive: true });
  return { name: kept.name, version: kept.version, fileName };
}

/** The files that npm would pack. It skips the package's prepack, because the build has just run. */
function filesOf(root: string): string[] {
  const printed = npm(['pack', '--json', '--ignore-scripts', '--dry-run'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [packed] = JSON.parse(printed) as { files: { path: string }[] }[];
  if (!packed) throw new Error(`npm pack printed ${printed}`);
  return packed.files.map(({ path }) => path);
}

const REPOSITORY = 'https://github.com/mcp-codegen/mcp-codegen';

/** Makes links of a page to files that the package does not have links to the repository. */
function linkToRepository(
  page: string,
  source: string,
  packed: readonly string[],
  root: string,
): void {
  const text = readFileSync(page, 'utf8');
  const linked = text.replace(
    /(!\[[^\]]*)?\]\(([^)\s#]+)/g,
    (link: string, image: string | undefined, target: string) => {
      const file = join(dirname(source), target);
      if (!existsSync(file) || packed.includes(relative(root, file).replaceAll(sep, '/')))
        return link;
      const path = relative(ROOT, file).replaceAll(sep, '/');
      return `${image ?? ''}](${REPOSITORY}/${image === undefined ? 'blob' : 'raw'}/main/${path}`;
    },
  );
  if (linked !== text) writeFileSync(page, linked);
}
