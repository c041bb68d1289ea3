/**
 * Bundles the command line into `dist/cli/`, because reading yargs' many modules costs more than a whole
 * `check`. Heavy modules stay outside and are loaded on demand. It also stores the hash of the generator,
 * because a built package contains no sources.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { generatorHash } from '../generator/read/load/version.js';
import { withoutPrettier } from './without-prettier.js';

const folder = 'dist/cli';

rmSync(folder, { recursive: true, force: true });
await build({
  entryPoints: {
    bin: 'cli/bin.ts',
    // For programs and their tests. It shares the rooms with the commands.
    contracts: 'contracts/index.ts',
    // A program of its own, which the command `cluster` starts.
    'database-process': 'cli/client/cluster/database-process.ts',
  },
  outdir: folder,
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: ['oauth4webapi', 'prettier/*', 'ts-morph', 'zod'],
  plugins: [withoutPrettier],
  // CommonJS inside the bundle needs `require` for Node's modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  // Help contains ASCII only, so the width of a text is its length.
  alias: { 'string-width': './scripts/string-length.ts' },
});
writeFileSync('dist/generator.sha256', generatorHash());
