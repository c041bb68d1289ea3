import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Paths of programs in JavaScript, because tsx would add to their memory and to their start. */
export interface Programs {
  readonly server: string;
  readonly flood: string;
  /** To be required ahead of a server. */
  readonly listening: string;
  readonly covering: string;
}

let built: Promise<Programs> | undefined;

/** Compiles the programs once. They are as deep in the repository as their sources, so that relative paths hold. */
export function programs(): Promise<Programs> {
  return (built ??= compile());
}

async function compile(): Promise<Programs> {
  const options = {
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
  } as const;
  const output = (name: string): string => path(`../../.cache/bench/${name}`);
  await build({
    ...options,
    entryPoints: { server: path('child.ts'), flood: path('flood-child.ts') },
    outdir: path('../../.cache/bench'),
    outExtension: { '.js': '.mjs' },
    splitting: true,
    format: 'esm',
  });
  await build({
    ...options,
    entryPoints: { listening: path('listening.ts'), covering: path('covering.ts') },
    outdir: path('../../.cache/bench'),
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
  });
  return {
    server: output('server.mjs'),
    flood: output('flood.mjs'),
    listening: output('listening.cjs'),
    covering: output('covering.cjs'),
  };
}

/** Compiles the runtime and what is generated, one file for each module. Returns the folder of both. */
export async function modules(): Promise<string> {
  const outdir = path('../../.cache/bench/modules');
  rmSync(outdir, { recursive: true, force: true });
  const root = path('../..');
  await build({
    entryPoints: ['runtime', 'generated'].flatMap((tree) => sourcesIn(root, tree)),
    absWorkingDir: root,
    outbase: root,
    outdir,
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  return outdir;
}

function sourcesIn(root: string, tree: string): string[] {
  return readdirSync(join(root, tree), { recursive: true, encoding: 'utf8' })
    .map((file) => join(root, tree, file))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .filter((file) => !/[\\/](?:dist|node_modules)[\\/]/.test(file));
}

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
