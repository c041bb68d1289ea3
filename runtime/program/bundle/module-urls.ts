import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, relative, sep } from 'node:path';

import type * as esbuild from 'esbuild';

const SOURCE = /\.([cm]?)[jt]sx?$/;
/** What a module says of its own place. */
const OWN_PLACE = /\bimport\.meta\.(?:url|filename|dirname)\b/;
const PLACES = ['url', 'filename', 'dirname'];
/** The variable for it, whose name no source has. */
const PLACE = '__placeOfModule';

/**
 * Keeps `import.meta.url` of a source what it is in the compiler's output, so that `new URL('./x.thread.js',
 * import.meta.url)` still finds the file that the compiler wrote.
 *
 * @param sources The folder of the main source. The bundle is in the folder that the compiler writes their modules to.
 */
export function moduleUrls(
  sources: string,
  { transform }: Pick<typeof esbuild, 'transform'>,
): esbuild.Plugin {
  return {
    name: 'module-urls',
    setup(bundler) {
      bundler.onLoad({ filter: SOURCE }, async ({ path }) => {
        if (!isWithin(sources, path)) return undefined;
        const text = await readFile(path, 'utf8');
        if (!OWN_PLACE.test(text)) return undefined;
        const source = relative(sources, path);
        const module = `./${source.replaceAll(sep, '/').replace(SOURCE, '.$1js')}`;
        const { code } = await transform(text, {
          loader: path.endsWith('x') ? 'tsx' : 'ts',
          sourcefile: path,
          sourcemap: 'inline',
          define: Object.fromEntries(
            PLACES.map((name) => [`import.meta.${name}`, `${PLACE}.${name}`]),
          ),
        });
        // In the first line below `#!`, so that the source map holds.
        const contents = code.replace(/^(?:#!.*\n)?/, (start) => start + placeText(module));
        return { contents, loader: 'js', resolveDir: dirname(path) };
      });
    },
  };
}

/** Whether a file is one of the project's sources in a folder, and not of a package there. */
export function isWithin(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return !path.startsWith('..') && !isAbsolute(path) && !path.split(sep).includes('node_modules');
}

function placeText(module: string): string {
  const url = `new URL(${JSON.stringify(module)}, import.meta.url)`;
  const { fileURLToPath, dirname: folder } = NODE;
  return `const ${PLACE} = { get url() { return ${url}.href; }, get filename() { return ${fileURLToPath}(${url}); }, get dirname() { return ${folder}(${fileURLToPath}(${url})); } }; `;
}

/** Without an import, which could clash with one of the source. */
const NODE = {
  fileURLToPath: "process.getBuiltinModule('node:url').fileURLToPath",
  dirname: "process.getBuiltinModule('node:path').dirname",
};
