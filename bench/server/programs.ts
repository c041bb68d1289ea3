import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Paths of programs in JavaScript, because tsx would add to their memory and to their start. */
export interface Programs {
  readonly server: string;
  readonly flood: string;
}

let built: Promise<Programs> | undefined;

/** Compiles the programs once. They are as deep in the repository as their sources, so that relative paths hold. */
export function programs(): Promise<Programs> {
  return (built ??= compile());
}

async function compile(): Promise<Programs> {
  const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
  await build({
    entryPoints: { server: path('child.ts'), flood: path('flood-child.ts') },
    outdir: path('../../.cache/bench'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  return {
    server: path('../../.cache/bench/server.mjs'),
    flood: path('../../.cache/bench/flood.mjs'),
  };
}
