import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path/posix';
import { specifiersIn, targetOf } from '../../test/support/imports.js';

/** Tests of other rooms fill the list up to this number: beyond it a fault is hardly ever found first. */
const MOST = 15;
/** Tests of other rooms that are run however many the room has: some files are tested where they are used. */
const LEAST_OTHERS = 5;

/** Which files import which, over the sources and the tests of the repository in `root`. */
export function importersIn(root: string): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  const files = [
    'cli',
    'contracts',
    'generator',
    'json-schema',
    'pages',
    'runtime',
    'test',
  ].flatMap((tree) => sources(root, tree));
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

/**
 * The unit tests that import a file: all of its room, because they are what is measured, and then those of other rooms
 * that import it by the fewest steps. A test with the file's name is the first of its room.
 */
export function testsOf(
  file: string,
  room: string,
  importers: ReadonlyMap<string, readonly string[]>,
): string[] {
  const reached = new Set([file]);
  for (const each of reached) importers.get(each)?.forEach((importer) => reached.add(importer));
  const tests = [...reached].filter(isUnitTest);
  const isOwn = (test: string): boolean => test.startsWith(`test/${basename(room)}/`);
  const isNamesake = (test: string): boolean =>
    basename(test, '.test.ts') === basename(file).replace(/\.tsx?$/, '');
  const own = tests.filter(isOwn).sort((a, b) => Number(isNamesake(b)) - Number(isNamesake(a)));
  const others = tests.filter((test) => !isOwn(test));
  return [...own, ...others.slice(0, Math.max(LEAST_OTHERS, MOST - own.length))];
}

const isUnitTest = (path: string): boolean =>
  path.endsWith('.test.ts') &&
  !/\.(?:integration|long)\.test\.ts$|^test\/scaffold\/old-projects\//.test(path);
