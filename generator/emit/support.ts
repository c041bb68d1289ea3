import type { SourceUnit } from './unit.js';

/** The folder of the support modules, beside the folders of the protocols. */
export const SUPPORT_FOLDER = 'support';

const HEADER = [
  '// Written by mcp-codegen: what the generated files beside this folder have in common. Do not edit.',
  '/* eslint-disable */',
  '',
  '',
].join('\n');

/** The support modules that each kind of file imports, directly or indirectly. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'protocol.ts': ['protocol.ts'],
  'validators.ts': [
    'applicators.ts',
    'batch.ts',
    'byte.ts',
    'characters.ts',
    'check.ts',
    'decode.ts',
    'evaluated.ts',
    'message.ts',
    'protocol.ts',
    'report.ts',
    'shapes.ts',
    'uri-template.ts',
    'uri.ts',
    'validation.ts',
    'values.ts',
    'wire.ts',
  ],
  'zod.ts': ['byte.ts', 'characters.ts', 'uri-template.ts', 'uri.ts', 'zod.ts'],
};

/** The sorted names of the support modules that generated files need, by the paths of those files. */
export function supportFor(generated: Iterable<string>): string[] {
  const needed = new Set<string>();
  for (const path of generated) {
    for (const name of NEEDED[path.slice(path.lastIndexOf('/') + 1)] ?? []) needed.add(name);
  }
  return [...needed].sort();
}

/** The files of the support folder; `sources` are the texts of `generator/emit/support`, by name. */
export function supportUnits(
  names: readonly string[],
  sources: ReadonlyMap<string, string>,
): SourceUnit[] {
  return names.map((name) => {
    const text = sources.get(name);
    if (text === undefined) throw new Error(`There is no support module ${name}.`);
    return { path: `${SUPPORT_FOLDER}/${name}`, text: HEADER + text };
  });
}
