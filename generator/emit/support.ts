import type { SourceUnit } from './unit.js';

/** The folder of the support modules, beside the folders of the protocols. */
export const SUPPORT_FOLDER = 'support';

const HEADER = [
  '// Written by mcp-codegen: what the generated files beside this folder have in common. Do not edit.',
  '/* eslint-disable */',
  '',
  '',
].join('\n');

/** The import of a support module, as `imports.ts` and the emitters write it: at the end of a statement's line. */
const IMPORT = /^(?:(?:import|export) .*|\}) from '\.\.\/support\/([\w-]+)\.js';$/gm;

/** The import of one support module by another. */
const INNER = /^(?:(?:import|export) .*|\}) from '\.\/([\w-]+)\.js';$/gm;

/** The sorted names of the support modules that the texts of generated files import. */
export function supportFor(texts: Iterable<string>): string[] {
  return [...new Set([...texts].flatMap((text) => modules(text, IMPORT)))].sort();
}

/**
 * The files of the support folder: the named modules, and those that they import. `sources` are the texts of
 * `generator/emit/support`, and of the portable ones of `json-schema`, by name.
 */
export function supportUnits(
  names: readonly string[],
  sources: ReadonlyMap<string, string>,
): SourceUnit[] {
  const texts = new Map<string, string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (texts.has(name)) continue;
    const text = sources.get(name);
    if (text === undefined) throw new Error(`There is no support module ${name}.`);
    texts.set(name, text);
    waiting.push(...modules(text, INNER));
  }
  return [...texts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => ({ path: `${SUPPORT_FOLDER}/${name}`, text: HEADER + text }));
}

function modules(text: string, statement: RegExp): string[] {
  return [...text.matchAll(statement)].map(([, name = '']) => `${name}.ts`);
}
