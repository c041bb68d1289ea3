import { build, transform } from 'esbuild';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rollup } from '@rollup/wasm-node';
import type { Plugin } from '@rollup/wasm-node';
import { describe, expect, it } from 'vitest';
import { packageRoot, REVISIONS } from '../../generator/read/load/index.js';
import { EXTENDED } from '../../generator/ir/revisions/index.js';

const ENTRY = 'entry.ts';

/** The module `entry.ts`, and the sources that it imports, as JavaScript. */
function typescript(contents: string): Plugin {
  return {
    name: 'typescript',
    resolveId: (id, from) => {
      if (id === ENTRY) return id;
      const base = from === undefined || from === ENTRY ? packageRoot() : join(from, '..');
      return join(base, id).replace(/\.js$/, '.ts');
    },
    load: async (id) => {
      const text = id === ENTRY ? contents : readFileSync(id, 'utf8');
      return (await transform(text, { loader: 'ts', target: 'es2022' })).code;
    },
  };
}

const BUNDLERS: Readonly<Record<string, (contents: string) => Promise<string>>> = {
  esbuild: async (contents) => {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: packageRoot(), loader: 'ts' },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      write: false,
    });
    return outputFiles[0]?.text ?? '';
  },
  rollup: async (contents) => {
    const bundle = await rollup({ input: ENTRY, plugins: [typescript(contents)] });
    const { output } = await bundle.generate({ format: 'es' });
    return (await transform(output[0].code, { minify: true, format: 'esm' })).code;
  },
};

const weigh = (code: string): number => gzipSync(code, { level: 9 }).length;

describe.each(Object.keys(BUNDLERS))('bundled by %s, minified and compressed', (bundler) => {
  const bundle = BUNDLERS[bundler] ?? (() => Promise.resolve(''));

  it.each(REVISIONS.filter((revision) => !(revision in EXTENDED)))(
    'all messages and errors of %s take at most 10 KB',
    async (revision) => {
      const code = await bundle(
        `export { validateMessage } from './generated/${revision}/validators.js';`,
      );
      console.log(`${bundler} ${revision}: ${String(weigh(code))} bytes`);
      expect(weigh(code)).toBeLessThanOrEqual(10_000);
    },
  );

  it('one definition bundles only the code that it needs', async () => {
    const from = "from './generated/2025-11-25/validators.js'";
    const is = await bundle(`export { isTool } ${from};`);
    expect(is).not.toMatch(/must be|JSON-RPC|Parse error|atob/);
    expect(weigh(is)).toBeLessThanOrEqual(1_500);
    const validate = await bundle(`export { validateTool } ${from};`);
    expect(validate).toContain('must be');
    expect(validate).not.toMatch(/Parse error|a method that/);
    expect(weigh(validate)).toBeLessThanOrEqual(3_000);
    expect(await bundle(`import './generated/2025-11-25/validators.js';`)).toBe('');
  });
});

describe('one Zod schema, bundled by esbuild', () => {
  const modules = async (contents: string): Promise<string[]> => {
    const { metafile } = await build({
      stdin: { contents, resolveDir: packageRoot(), loader: 'ts' },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      metafile: true,
      write: false,
    });
    const [output] = Object.values(metafile.outputs);
    return Object.entries(output?.inputs ?? {})
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([path]) => path);
  };

  it.each(REVISIONS)(
    'of %s has no locale but English, which is the one of Zod',
    async (revision) => {
      const name = revision in EXTENDED ? 'Task' : 'Tool';
      const ours = await modules(`export { ${name}Schema } from './generated/${revision}/zod.js';`);
      const zod = ours.filter((path) => path.includes('node_modules'));
      expect(zod.filter((path) => path.includes('locales/'))).toEqual([
        'node_modules/zod/v4/locales/en.js',
      ]);
      // `z.core` or `z.locales` at run time would keep these as well.
      expect(
        zod.filter((path) => /from-json-schema|classic\/(?:coerce|iso)|mini\//.test(path)),
      ).toEqual([]);
    },
  );
});
