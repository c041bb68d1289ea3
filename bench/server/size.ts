import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build, type Metafile, type Plugin } from 'esbuild';

import type { Bench } from '../bench.js';
import { amount } from '../measured.js';

const MOST = 60;
/** The one that `core-server.ts` offers. */
const REVISION = '2026-07-28';

/** The size of the core server for a place without Node: `core-server.ts` with all that it imports. */
export const size: Bench = {
  name: 'server/size',
  async run() {
    const [ours, withoutZod, v2, tmcp] = [
      await bundle(OURS_ENTRY),
      await bundle(OURS_ENTRY, ['zod']),
      await bundle(SDK_ENTRY),
      await bundle(TMCP_ENTRY),
    ];
    return [
      {
        row: 'bundle of the core server with tasks in memory and one revision, min+gz',
        goal: `≤ ${String(MOST)} KB`,
        ours: `${amount(ours.kilobytes, 'KB')} (without zod ${amount(withoutZod.kilobytes, 'KB')})`,
        peer: `without tasks and without a tool: SDK v2 ${amount(v2.kilobytes, 'KB')}; tmcp ${amount(tmcp.kilobytes, 'KB')}`,
        met: ours.kilobytes <= MOST,
        details: ours.parts,
      },
    ];
  },
};

const OURS_ENTRY = "export { serve } from './core-server.js';";
const SDK_ENTRY = "export { createMcpHandler, McpServer } from '@modelcontextprotocol/server';";
const TMCP_ENTRY = `
  export { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod';
  export { HttpTransport } from '@tmcp/transport-http';
  export { McpServer } from 'tmcp';`;

/** Loaded only where the user installs and uses them. */
const OPTIONAL = ['@dbos-inc/dbos-sdk', '@opentelemetry/api', 'jose', 'libsql', 'pg'];

/** Revisions that the server does not offer, and never loads. */
const otherRevisions: Plugin = {
  name: 'other-revisions',
  setup: (bundler) => {
    bundler.onResolve({ filter: /generated\/20/ }, ({ path, kind }) =>
      kind === 'dynamic-import' && !path.includes(REVISION) ? { path, external: true } : undefined,
    );
  },
};

interface Bundle {
  readonly kilobytes: number;
  /** What of Node it imports, and its largest files. */
  readonly parts: readonly string[];
}

async function bundle(contents: string, without: readonly string[] = []): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, loader: 'ts', resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    outfile: 'bundle.js',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    external: ['node:*', ...OPTIONAL, ...without],
    plugins: [otherRevisions],
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const bytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  return { kilobytes: bytes / 1_000, parts: partsOf(metafile) };
}

function partsOf({ outputs }: Metafile): readonly string[] {
  const { imports, inputs } = outputs['bundle.js'] ?? { imports: [], inputs: {} };
  const outside = [...new Set(imports.map(({ path }) => path))].sort();
  const files = Object.entries(inputs)
    .map(([path, { bytesInOutput }]) => ({ path, bytesInOutput }))
    .sort((a, b) => b.bytesInOutput - a.bytesInOutput)
    .map(({ path, bytesInOutput }) => `${amount(bytesInOutput / 1_000, 'KB')} ${path}`);
  return [`imports ${outside.join(', ')}`, ...files];
}
