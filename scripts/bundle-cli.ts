/**
 * Bundles the command line into `dist/cli/`: resolving and reading yargs' many modules, and measuring
 * emoji, would cost more than a whole `check`. What is heavy stays outside and is loaded on demand.
 * Also notes the hash of the generator, since a built package need not carry its sources.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { generatorHash } from '../generator/load/version.js';

const folder = 'dist/cli';

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
  external: ['json-schema-to-typescript', 'prettier', 'ts-morph', 'zod'],
  // Help is in plain letters, whose width is their number.
  alias: { 'string-width': './scripts/string-length.ts' },
});
writeFileSync('dist/generator.sha256', generatorHash());
