/**
 * Bundles a server's program, for a quick start: `mcp-bundle src/main.ts dist/main.js` after the compiler. Node.js reads
 * each module of Zod and of the runtime as a file, which takes more than half of a start.
 */

import { mapOf } from './project-map.js';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import type * as esbuild from 'esbuild';
import { MissingPackageError } from '../../optional.js';
import { isWithin, moduleUrls } from './module-urls.js';
import { packages } from './packages.js';

/**
 * Bundles the program `main` with Zod, the runtime and its logger into one file, `program`. All other packages, and files
 * that the program finds by `import.meta.url`, stay where the compiler and the package manager put them. Stack traces
 * name the sources of the project.
 *
 * @param main The source, in TypeScript or JavaScript: `src/main.ts`.
 * @param program What Node.js runs, where the compiler wrote the same module: `dist/main.js`. It is replaced.
 * @throws {MissingPackageError} when esbuild is not installed, and esbuild's errors, which it has printed.
 */
export async function bundleServer(main: string, program: string): Promise<void> {
  const [from, to] = [resolve(main), resolve(program)];
  const require = createRequire(from);
  const { build, transform } = require(esbuildFor(require)) as typeof esbuild;
  await build({
    entryPoints: [from],
    outfile: to,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    banner: { js: REQUIRE + STACK_TRACES },
    plugins: [
      packages(dirname(require.resolve('@mcp-codegen/runtime/package.json'))),
      moduleUrls(dirname(from), { transform }),
    ],
  });
  const isOfProject = (source: string): boolean =>
    isWithin(dirname(from), resolve(dirname(to), source));
  const map = `${to}.map`;
  writeFileSync(map, mapOf(readFileSync(map, 'utf8'), isOfProject));
}

/** CommonJS packages in the bundle require the modules of Node.js. */
const REQUIRE =
  "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);";

/** esbuild of the project, or the one that tsx brings. */
function esbuildFor({ resolve: find }: NodeJS.Require): string {
  try {
    return find('esbuild');
  } catch {
    // A project that runs from its sources has tsx, which is made of esbuild.
  }
  try {
    return createRequire(find('tsx/package.json')).resolve('esbuild');
  } catch (error) {
    throw new MissingPackageError('mcp-bundle needs esbuild. Run: npm install --save-dev esbuild', {
      cause: error,
    });
  }
}

/**
 * The beginning of a bundle, by which stack traces name the sources of the project. Node.js does the same with
 * `--enable-source-maps`, but it reads the map and measures every line of the bundle at each start, which takes a
 * twentieth of the start. This reads the map when the first stack is looked at.
 *
 * It is a text, because it has to run before the modules of the bundle.
 */
const STACK_TRACES = `
if (!process.execArgv.includes('--enable-source-maps')) {
  let map;
  const read = () => {
    const { SourceMap } = process.getBuiltinModule('node:module');
    const { readFileSync } = process.getBuiltinModule('node:fs');
    return new SourceMap(JSON.parse(readFileSync(new URL(import.meta.url + '.map'), 'utf8')));
  };
  const traced = (frame) => {
    const [text, line, column] = [String(frame), frame.getLineNumber(), frame.getColumnNumber()];
    const place = import.meta.url + ':' + line + ':' + column;
    if (!text.includes(place)) return text;
    const { originalSource, originalLine, originalColumn } = (map ??= read()).findEntry(line - 1, column - 1);
    if (originalSource === undefined) return text;
    const source = new URL(originalSource, import.meta.url).href;
    return text.replace(place, () => source + ':' + (originalLine + 1) + ':' + (originalColumn + 1));
  };
  const unmapped = (error, frames) => [Error.prototype.toString.call(error), ...frames].join('\\n    at ');
  Error.prepareStackTrace = (error, frames) => {
    try {
      return unmapped(error, frames.map(traced));
    } catch {
      return unmapped(error, frames);
    }
  };
}
`;
