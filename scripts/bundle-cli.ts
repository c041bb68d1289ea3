/**
 * Bundles the command line into `dist/cli/`: resolving and reading yargs' many modules, and measuring
 * emoji, would cost more than a whole `check`. What is heavy stays outside and is loaded on demand.
 * Also notes the hash of the generator, since a built package need not carry its sources.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import type { Plugin } from 'esbuild';
import { generatorHash } from '../generator/load/version.js';

const folder = 'dist/cli';

/**
 * json-schema-to-typescript loads all of Prettier to format what it makes, which we never ask of
 * it: the layout is ours. Prettier's own entry points, such as `prettier/standalone`, stay.
 */
const withoutPrettier: Plugin = {
  name: 'without-prettier',
  setup: (bundler) => {
    bundler.onResolve({ filter: /^prettier$/ }, () => ({ path: 'prettier', namespace: 'unused' }));
    bundler.onLoad({ filter: /.*/, namespace: 'unused' }, () => ({
      contents: "export function format() { throw new Error('Prettier is not bundled'); }",
    }));
  },
};

rmSync(folder, { recursive: true, force: true });
await build({
  entryPoints: ['generator/cli/bin.ts'],
  outdir: folder,
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: ['@modelcontextprotocol/*', 'prettier/*', 'ts-morph', 'zod'],
  plugins: [withoutPrettier],
  // CommonJS inside the bundle asks for Node's modules this way.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  // Help is in plain letters, whose width is their number.
  alias: { 'string-width': './scripts/string-length.ts' },
});
writeFileSync('dist/generator.sha256', generatorHash());
