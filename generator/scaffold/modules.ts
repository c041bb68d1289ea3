import { ts } from 'ts-morph';

/** Packages that a module imports, by name. */
export function packagesIn(text: string): string[] {
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((specifier) => !/^(?:\.|node:)/.test(specifier))
    .map(packageOf);
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
