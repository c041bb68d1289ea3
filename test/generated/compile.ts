import type { Revision } from '../../generator/read/load/index.js';
import { supportFiles } from '../support/emitted.js';
import { generatedFiles } from '../support/generated.js';
import { compileWith, type TypeScriptVersion } from '../support/ts-compile.js';

/** The diagnostics of the code of some revisions, of what else uses it, and of the declarations that it imports. */
export function compileAll(
  version: TypeScriptVersion,
  revisions: readonly Revision[],
  users: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const code = Object.assign(supportFiles(), ...revisions.map(folderOf)) as Record<string, string>;
  const files = { ...code, ...users };
  return compileWith(version, files, { noUnusedLocals: true, skipLibCheck: false });
}

function folderOf(revision: Revision): Record<string, string> {
  return Object.fromEntries(
    Object.entries(generatedFiles(revision)).map(([name, text]) => [`${revision}/${name}`, text]),
  );
}

/** Values of each type are assignable to the other, without casts. */
export function mutuallyAssignable(names: readonly string[]): string {
  const functions = names.flatMap((name) => [
    `export const infer${name}: (x: types.${name}) => z.infer<typeof zod.${name}Schema> = (x) => x;`,
    `export const accept${name}: (x: z.infer<typeof zod.${name}Schema>) => types.${name} = (x) => x;`,
  ]);
  return [
    "import type * as z from 'zod';",
    "import type * as types from './types.js';",
    "import type * as zod from './zod.js';",
    ...functions,
  ].join('\n');
}
