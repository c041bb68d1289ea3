import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path/posix';
import { specifiersIn, targetOf } from '../../test/support/imports.js';

/** Beyond these many a fault is hardly ever found first. */
const MOST = 15;

/** Which files import which, over the sources and the tests of the repository in `root`. */
export function importersIn(root: string): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  const files = ['generator', 'runtime', 'test'].flatMap((tree) => sources(root, tree));
  const texts = new Map(files.map((file) => [file, readFileSync(`${root}${file}`, 'utf8')]));
  for (const [file, text] of texts) {
    for (const specifier of specifiersIn(text)) {
      if (!specifier.startsWith('.')) continue;
      const target = targetOf(file, specifier, texts);
      importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  }
  return importers;
}

/** The TypeScript files below a folder, from the repository's root. */
export function sources(root: string, folder: string): string[] {
  return readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path) && !/\/(?:node_modules|dist|golden)\//.test(path))
    .sort();
}

/** The unit tests that import a file: those of its room first, then those that import it by the fewest steps. */
export function testsOf(
  file: string,
  room: string,
  importers: ReadonlyMap<string, readonly string[]>,
): string[] {
  const reached = new Set([file]);
  for (const each of reached) importers.get(each)?.forEach((importer) => reached.add(importer));
  const tests = [...reached].filter(isUnitTest);
  const own = (test: string): boolean => test.startsWith(`test/${basename(room)}/`);
  return [...tests.filter(own), ...tests.filter((test) => !own(test))].slice(0, MOST);
}

const isUnitTest = (path: string): boolean =>
  path.endsWith('.test.ts') &&
  !/\.(?:integration|long)\.test\.ts$|^test\/scaffold\/old-projects\//.test(path);
