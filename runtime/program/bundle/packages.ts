import { realpath } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { sep } from 'node:path';

import type { OnResolveArgs, Plugin } from 'esbuild';

import { DIALECT_VERSIONS, PROTOCOL_VERSIONS } from '../../protocol.js';

const RUNTIME = '@mcp-codegen/runtime';
/** What a project imports of packages that consist of many modules. */
const INSIDE = /^(?:zod|@mcp-codegen\/runtime)(?:\/|$)/;
/** What the runtime imports of them. It loads pino when a program has no log of its own. */
const INSIDE_RUNTIME = /^(?:zod|pino)(?:\/|$)/;

/**
 * Decides which packages are in the bundle. All others stay outside, because they may have files, native code or workers
 * that a bundle loses.
 *
 * @param folder That of the runtime package.
 */
export function packages(folder: string): Plugin {
  return {
    name: 'packages',
    async setup(bundler) {
      const runtime = (await realpath(folder)) + sep;
      bundler.onResolve({ filter: OF_REVISION }, ({ path, importer, kind }) => {
        // A project may have generated modules of its own.
        const isLater = kind === 'dynamic-import' && importer.startsWith(runtime);
        const outside = isLater ? laterRevision(path) : undefined;
        return outside === undefined ? undefined : { path: outside, external: true };
      });
      bundler.onResolve({ filter: PACKAGE }, async (found) => {
        const { path, importer, kind, resolveDir } = found;
        // On Windows the path of the main source begins as a name does.
        if (kind === 'entry-point' || found.pluginData === ASKED || isBuiltin(path)) {
          return undefined;
        }
        if (!isInside(found, runtime)) return { path, external: true };
        const asked = { importer, kind, resolveDir, pluginData: ASKED };
        const resolved = await bundler.resolve(path, asked);
        return resolved.errors.length > 0 ? { path, external: true } : resolved;
      });
    },
  };
}

/** The name of a package, of a module in it, or of a module of Node.js. */
const PACKAGE = /^[^./]/;
const ASKED = Symbol('asked');

function isInside({ path, importer }: OnResolveArgs, runtime: string): boolean {
  if (importer.startsWith(runtime)) return INSIDE_RUNTIME.test(path);
  return importer.includes(`${sep}node_modules${sep}`) || INSIDE.test(path);
}

/** Generated modules of a revision, as the runtime imports them. */
const OF_REVISION = /\/generated\/([^/]+)\/(\w+)\.js$/;
const AT_START: readonly string[] = Object.values(DIALECT_VERSIONS);
const LATER: readonly string[] = PROTOCOL_VERSIONS.filter((each) => !AT_START.includes(each));

/** The entry of a revision that a server loads when a client asks for it. It needs nothing of the bundle. */
function laterRevision(path: string): string | undefined {
  const [, revision = '', module = ''] = OF_REVISION.exec(path) ?? [];
  return LATER.includes(revision) ? `${RUNTIME}/${revision}/${module}` : undefined;
}
