import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const ENTRY = fileURLToPath(new URL('../../runtime/client/index.ts', import.meta.url));

async function bundled(): Promise<{ text: string; imports: string[] }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
    outdir: 'out',
  });
  const [output] = Object.values(metafile.outputs);
  const imports = output?.imports.filter(({ external }) => external).map(({ path }) => path) ?? [];
  // The one package that the runtime contains.
  const isOther = (path: string): boolean => /node_modules\/(?!@noble\/hashes\/)/.test(path);
  imports.push(...Object.keys(output?.inputs ?? {}).filter(isOther));
  return { text: outputFiles[0]?.text ?? '', imports };
}

it('the client bundles for browsers, and imports nothing', async () => {
  const { text, imports } = await bundled();
  expect(imports).toEqual([]);
  // None of the classes of the SDK: a transport is all that an application imports of it.
  expect(text).not.toContain('StreamableHTTPClientTransport');
});

it('the bundle uses globals of Node.js only where it has looked for them', async () => {
  const { text } = await bundled();
  const code = text.replace(/\/\*.*?\*\/|^\s*\/\/.*$/gms, '');
  const lines = code
    .split('\n')
    .filter((line) => /\b(?:process|Buffer|setImmediate)\b(?=[.([])|\.unref\(\)/.test(line));
  const guarded = /if \(typeof |process\.getBuiltinModule\(/;
  expect(lines.filter((line) => !guarded.test(line))).toEqual([]);
});
