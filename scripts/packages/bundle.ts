/**
 * Bundles the hand-written modules of the runtime into one file for each entry of the package, and files that
 * entries share. A server read 181 files at its start before, and Node.js spends longer on a file than on its
 * contents. Generated modules stay as they are, because servers load them by revision.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Plugin } from 'esbuild';
import { MODULES_FOLDER, ROOT, moduleOf, runtimeEntries } from './entries.js';
import { thinMaps } from './thin-maps.js';

const folder = join(ROOT, 'runtime/dist', MODULES_FOLDER);

/** A thread starts with a module of its own, which is beside the file that starts it: all files are in one folder. */
const THREAD = ['thread', 'runtime/executors/threads/thread.ts'] as const;

const generatedOutside: Plugin = {
  name: 'generated-outside',
  setup: (bundler) => {
    bundler.onResolve({ filter: /^\.\.?\/.*generated\// }, ({ path }) => ({
      path: path.replace(/^.*?generated\//, '../generated/'),
      external: true,
    }));
  },
};

const written = [...runtimeEntries()].filter(([, source]) => source.startsWith('runtime/'));

rmSync(folder, { recursive: true, force: true });
await build({
  absWorkingDir: ROOT,
  entryPoints: Object.fromEntries([
    ...written.map(([subpath, source]) => [moduleOf(subpath), source]),
    THREAD,
  ]),
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
  plugins: [generatedOutside],
});
thinMaps(folder);
