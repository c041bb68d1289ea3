import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type OnResolveArgs, type OnResolveResult, type PluginBuild } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';

import { packages } from '../../runtime/program/bundle/packages.js';

const RUNTIME = fileURLToPath(new URL('../../runtime', import.meta.url));

/** What a bundle of a project imports. */
async function importsOf(sources: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { metafile } = await build({
    entryPoints: [join(folder, 'main.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    metafile: true,
    plugins: [packages(RUNTIME)],
  });
  return Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
}

it('keeps other packages outside', async () => {
  const text = "import sharp from 'sharp'; sharp();";
  expect(await importsOf({ 'main.ts': text })).toEqual(['sharp']);
});

it('bundles what a project has generated for an older revision itself', async () => {
  const imports = await importsOf({
    'main.ts': "console.log(await import('./generated/2024-11-05/types.js'));",
    'generated/2024-11-05/types.ts': 'export const own = true;',
  });
  expect(imports).toEqual([]);
});

it('takes the main source for no package, although its path on Windows begins with a letter', async () => {
  type Resolve = (found: OnResolveArgs) => Promise<OnResolveResult | undefined>;
  const callbacks: [filter: RegExp, resolve: Resolve][] = [];
  const onResolve = ({ filter }: { filter: RegExp }, resolve: Resolve) =>
    void callbacks.push([filter, resolve]);
  await packages(RUNTIME).setup({ onResolve } as unknown as PluginBuild);
  const path = 'C:\\server\\src\\main.ts';
  const found = { path, importer: '', kind: 'entry-point' } as OnResolveArgs;
  for (const [filter, resolve] of callbacks) {
    if (filter.test(path)) expect(await resolve(found)).toBeUndefined();
  }
});
