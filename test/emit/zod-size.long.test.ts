import { build as esbuild, transform } from 'esbuild';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rollup } from '@rollup/wasm-node';
import { build as vite } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot, REVISIONS } from '../../generator/read/load/index.js';
import { temporaryFolder } from '../support/stores.js';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** The generated modules as JavaScript, which every bundler reads without a plugin. */
beforeAll(async () => {
  const { outputFiles } = await esbuild({
    entryPoints: [join(packageRoot(), 'generated/**/*.ts')],
    outdir: folder.path,
    write: false,
    minifySyntax: false,
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  }
});

const BUNDLERS: Readonly<Record<string, (entry: string) => Promise<string>>> = {
  esbuild: async (entry) => {
    const { outputFiles } = await esbuild({
      entryPoints: [entry],
      ...{ bundle: true, minify: true, format: 'esm', write: false, external: ['zod'] },
    });
    return outputFiles[0]?.text ?? '';
  },
  rollup: async (entry) => {
    const bundle = await rollup({ input: entry, external: ['zod'] });
    const { output } = await bundle.generate({ format: 'es' });
    return (await transform(output[0].code, { minify: true, format: 'esm' })).code;
  },
  vite: async (entry) => {
    const built = await vite({
      logLevel: 'silent',
      configFile: false,
      root: folder.path,
      build: {
        write: false,
        minify: true,
        lib: { entry, formats: ['es'], fileName: 'out' },
        rolldownOptions: { external: ['zod'] },
      },
    });
    const [bundle] = [built].flat();
    const [chunk] = bundle && 'output' in bundle ? bundle.output : [];
    return chunk?.code ?? '';
  },
};

/** Those that refer to many others. */
const LARGE = new Set([
  'ClientRequest',
  'ServerResult',
  'JSONRPCMessage',
  'CallToolResult',
  'Tool',
]);

/** All with esbuild, which takes a hundredth of a second for each. */
function namesOf(revision: string, bundler: string): string[] {
  const text = readFileSync(join(packageRoot(), 'generated', revision, 'zod.ts'), 'utf8');
  const all = [...text.matchAll(/^export const (\w+)Schema:/gm)].map(([, name = '']) => name);
  return bundler === 'esbuild' ? all : all.filter((name) => LARGE.has(name));
}

describe.each(Object.keys(BUNDLERS))('one Zod schema, bundled by %s', (bundler) => {
  it.each(REVISIONS)('of %s takes at most 6 KB beside Zod', async (revision) => {
    const names = namesOf(revision, bundler);
    expect(names.length).toBeGreaterThan(0);
    const large: string[] = [];
    for (const name of names) {
      const entry = join(folder.path, `${revision}-${name}.js`);
      writeFileSync(entry, `export { ${name}Schema } from './${revision}/zod.js';\n`);
      const code = (await BUNDLERS[bundler]?.(entry)) ?? '';
      const size = gzipSync(code, { level: 9 }).length;
      expect(code).toContain('zod');
      if (size > 6_000) large.push(`${name}: ${String(size)} bytes`);
    }
    expect(large).toEqual([]);
  });
});
