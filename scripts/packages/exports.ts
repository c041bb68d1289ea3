import { isWritten, MODULES_FOLDER, moduleOf, RUNTIME } from './entries.js';

interface Target {
  readonly types: string;
  readonly default: string;
}

/** The `exports` of the runtime's package.json, from `runtimeEntries`. */
export function exportsOf(
  entries: ReadonlyMap<string, string>,
): Readonly<Record<string, Target | string>> {
  const targets = [...entries].map(([subpath, source]): [string, Target] => {
    const compiled = source.replace(/\.ts$/, '');
    const module = isWritten(source) ? `${MODULES_FOLDER}/${moduleOf(subpath)}` : compiled;
    return [`./${subpath}`, { types: `./dist/${compiled}.d.ts`, default: `./dist/${module}.js` }];
  });
  return { ...Object.fromEntries(targets), './package.json': './package.json' };
}

/** The `paths` by which this repository's own compiler finds the sources instead of the build. */
export function pathsOf(
  entries: ReadonlyMap<string, string>,
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    [...entries].map(([subpath, source]) => [`${RUNTIME}/${subpath}`, [`./${source}`]]),
  );
}
