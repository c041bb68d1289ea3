/**
 * Makes `dist/playground.html`, which `mcp-codegen playground` copies: the page with its script, and the engine as
 * data, which the script makes a worker of.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import type { BuildOptions, Plugin } from 'esbuild';
import { readAssets } from '../cli/assets.js';
import { packageVersion } from '../generator/read/load/index.js';
import { withPolicy } from '../pages/index.js';
import { playgroundPage } from '../pages/playground/index.js';
import { withoutPrettier } from './without-prettier.js';

/**
 * Leaves out what a browser lacks and nothing on the page calls: json-schema-to-typescript reads files and colours its
 * steps, and rooms of the generator unpack and hash. The names of files, which it does use, are those of `pathe`.
 */
const inBrowser: Plugin = {
  name: 'in-browser',
  setup: (bundler) => {
    bundler.onResolve({ filter: /^path$/ }, ({ kind, resolveDir }) =>
      bundler.resolve('pathe', { kind, resolveDir }),
    );
    bundler.onResolve({ filter: /^(?:fs|util|cli-color)$/ }, ({ path }) => ({
      path,
      namespace: 'in-browser',
    }));
    bundler.onLoad({ filter: /.*/, namespace: 'in-browser' }, () => ({
      contents: 'module.exports = {};',
    }));
    // Of our own rooms: `bundle` fails when one is left.
    bundler.onResolve({ filter: /^node:/ }, ({ path }) => ({
      path,
      external: true,
      sideEffects: false,
    }));
  },
};

const COMMON = {
  bundle: true,
  minify: true,
  write: false,
  format: 'iife',
  platform: 'browser',
  target: 'es2022',
  legalComments: 'none',
  metafile: true,
  jsx: 'automatic',
  jsxImportSource: 'preact',
} as const satisfies BuildOptions;

/** @throws when a module of Node is left in the bundle. */
async function bundle(options: BuildOptions): Promise<string> {
  const { outputFiles = [], metafile } = await build({ ...COMMON, ...options });
  const left = Object.values(metafile?.outputs ?? {}).flatMap(({ imports }) => imports);
  if (left.length > 0) {
    throw new Error(`The playground imports ${left.map(({ path }) => path).join(', ')}`);
  }
  return outputFiles.map(({ text }) => text).join('');
}

const report = readAssets('report');
const engine = await bundle({
  stdin: {
    contents: `
      import { serve } from './pages/playground/serve.ts';
      serve(self, ${JSON.stringify(report)});
    `,
    resolveDir: '.',
  },
  // json-schema-to-typescript asks for the environment and the folder, and whether a schema is a file's bytes.
  banner: {
    js: "const process = { env: {}, cwd: () => '/' }; const Buffer = { isBuffer: () => false };",
  },
  // In functions that are left out.
  logOverride: { 'empty-import-meta': 'silent' },
  plugins: [withoutPrettier, inBrowser],
});
const script = await bundle({ entryPoints: ['pages/playground/page/main.tsx'] });
const style = await bundle({ entryPoints: ['pages/playground/page/playground.css'] });
const page = playgroundPage({
  assets: withPolicy({ style, script }, { workers: true, framed: [report] }),
  engine,
  version: packageVersion(),
});
mkdirSync('dist', { recursive: true });
writeFileSync('dist/playground.html', page);
