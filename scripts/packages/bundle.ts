/**
 * Bundles the hand-written modules of the runtime into one file for each entry of the package, and files that
 * entries share. A server read 181 files at its start before, and Node.js spends longer on a file than on its
 * contents. Generated modules stay as they are, because servers load them by revision.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { pageFiles } from '../../runtime/admin/board/page-files.js';
import { isWritten, MODULES_FOLDER, ROOT, moduleOf, runtimeEntries } from './entries.js';
import { withoutBareImports } from './bare-imports.js';
import { thinMaps } from './thin-maps.js';

const folder = join(ROOT, 'runtime/dist', MODULES_FOLDER);

const generatedOutside: Plugin = {
  name: 'generated-outside',
  setup: (bundler) => {
    bundler.onResolve({ filter: /^\.\.?\/.*generated\// }, ({ path }) => ({
      path: path.replace(/^.*?generated\//, '../generated/'),
      external: true,
    }));
  },
};

/** The files of the board's page become texts in its module, so that a bundle of a server has them too. */
const pageInside: Plugin = {
  name: 'page-inside',
  setup: (bundler) => {
    bundler.onLoad({ filter: /runtime[\\/]admin[\\/]board[\\/]page-files\.ts$/ }, () => ({
      contents: `export const pageFiles = () => (${JSON.stringify(pageFiles())});`,
    }));
  },
};

/** Packages that become part of the runtime's modules: as files of their own they would be dependencies, which it has none of. */
const INSIDE = ['@jridgewell/sourcemap-codec', '@noble/hashes'];

const packagesInside: Plugin = {
  name: 'packages-inside',
  setup: (bundler) => {
    bundler.onResolve({ filter: new RegExp(`^(?:${INSIDE.join('|')})(?:$|/)`) }, ({ path }) => ({
      path: fileURLToPath(import.meta.resolve(path)),
    }));
  },
};

const licenseOf = (name: string): string =>
  `${name}\n\n${readFileSync(join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8')}`;

const written = [...runtimeEntries()].filter(([, source]) => isWritten(source));

rmSync(folder, { recursive: true, force: true });
await build({
  absWorkingDir: ROOT,
  entryPoints: Object.fromEntries(written.map(([subpath, source]) => [moduleOf(subpath), source])),
  outdir: folder,
  chunkNames: 'shared-[hash]',
  bundle: true,
  splitting: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  logLevel: 'warning',
  plugins: [generatedOutside, pageInside, packagesInside],
});
withoutBareImports(folder);
writeFileSync(join(folder, 'LICENSES.txt'), INSIDE.map(licenseOf).join('\n'));
thinMaps(folder);
