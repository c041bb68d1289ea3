/**
 * Bundles a server's program, for a quick start: `mcp-bundle src/main.ts dist/main.js` after the compiler. Node.js reads
 * each module of Zod and of the runtime as a file, which takes more than half of a start.
 */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';

import type * as esbuild from 'esbuild';

import { isWithin, moduleUrls } from './module-urls.js';
import { packages } from './packages.js';
import { mapOf } from './project-map.js';

/** What was written. */
export interface Bundled {
  /** Absolute paths: the program, and the bundle that it loads. */
  readonly program: string;
  readonly bundle: string;
}

/**
 * Bundles the program `main` with Zod and the runtime into one file beside `program`, and makes `program` load that. All
 * other packages, and files that the program finds by `import.meta.url`, stay where the compiler and the package manager
 * put them. Stack traces name the sources of the project.
 *
 * @param main The source, in TypeScript or JavaScript: `src/main.ts`.
 * @param program What Node.js runs, where the compiler wrote the same module: `dist/main.js`.
 * @throws {Error} of one line when esbuild is not installed, and esbuild's errors.
 */
export async function bundleServer(main: string, program: string): Promise<Bundled> {
  const [from, to] = [resolve(main), resolve(program)];
  const bundle = to.replace(/\.js$/, '.bundle.js');
  const require = createRequire(from);
  const { build, transform } = require(esbuildFor(require)) as typeof esbuild;
  await build({
    entryPoints: [from],
    outfile: bundle,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    // CommonJS packages require the modules of Node.js.
    banner: { js: REQUIRE },
    plugins: [
      packages(dirname(require.resolve('@mcp-codegen/runtime/package.json'))),
      moduleUrls(dirname(from), { transform }),
    ],
  });
  const map = `${bundle}.map`;
  const isOfProject = (source: string): boolean =>
    isWithin(dirname(from), resolve(dirname(to), source));
  writeFileSync(map, mapOf(readFileSync(map, 'utf8'), isOfProject));
  writeFileSync(to, programText(basename(bundle)));
  // That of the compiler, for what was there.
  rmSync(`${to}.map`, { force: true });
  return { program: to, bundle };
}

const REQUIRE =
  "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);";

function programText(bundle: string): string {
  return `// Written by mcp-bundle. Stack traces name the sources.
process.setSourceMapsEnabled(true);
await import('./${bundle}');
`;
}

/** esbuild of the project, or the one that tsx brings. */
function esbuildFor({ resolve: find }: NodeJS.Require): string {
  try {
    return find('esbuild');
  } catch {
    // A project that runs from its sources has tsx, which is made of esbuild.
  }
  try {
    return createRequire(join(dirname(find('tsx/package.json')), 'package.json')).resolve(
      'esbuild',
    );
  } catch (error) {
    throw new Error('mcp-bundle needs esbuild. Run: npm install --save-dev esbuild', {
      cause: error,
    });
  }
}
