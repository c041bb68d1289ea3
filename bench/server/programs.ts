import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Paths of programs in JavaScript, because tsx would add to their memory and to their start. */
export interface Programs {
  readonly server: string;
  readonly flood: string;
  /** To be required ahead of a server. */
  readonly listening: string;
}

let built: Promise<Programs> | undefined;

/** Compiles the programs once. They are as deep in the repository as their sources, so that relative paths hold. */
export function programs(): Promise<Programs> {
  return (built ??= compile());
}

async function compile(): Promise<Programs> {
  const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
  const options = {
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
  } as const;
  const [server, flood, listening] = ['server.mjs', 'flood.mjs', 'listening.cjs'].map((name) =>
    path(`../../.cache/bench/${name}`),
  ) as [string, string, string];
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
    entryPoints: [path('listening.ts')],
    outfile: listening,
    format: 'cjs',
  });
  return { server, flood, listening };
}
