import { describe, expect, it } from 'vitest';
import { loadRevision, REVISIONS } from '../../generator/load/index.js';
import type { Revision } from '../../generator/load/index.js';
import { supportFiles } from '../support/emitted.js';
import { generatedFiles } from '../support/generated.js';
import { compileWith, typeScriptVersions } from '../support/ts-compile.js';

const namesOf = (revision: Revision): string[] => [
  ...loadRevision(revision).document.definitions.keys(),
];

function folderOf(revision: Revision): Record<string, string> {
  return Object.fromEntries(
    Object.entries(generatedFiles(revision)).map(([name, text]) => [`${revision}/${name}`, text]),
  );
}

/** Values of each type are assignable to the other, without casts. */
function mutuallyAssignable(names: readonly string[]): string {
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

describe.each(typeScriptVersions)('TypeScript %s', (version) => {
  it('compiles all generated code with the strictest options', async () => {
    const files = Object.assign(supportFiles(), ...REVISIONS.map(folderOf)) as Record<
      string,
      string
    >;
    expect(await compileWith(version, files, { noUnusedLocals: true })).toEqual([]);
  });
});

describe('the type inferred by Zod', () => {
  it.each(REVISIONS)('and the generated one are assignable to each other, in %s', async (revision) => {
    const { 'types.ts': types = '', 'zod.ts': zod = '' } = generatedFiles(revision);
    const check = mutuallyAssignable(namesOf(revision));
    const files = {
      ...supportFiles(),
      'x/types.ts': types,
      'x/zod.ts': zod,
      'x/check.ts': check,
    };
    expect(await compileWith('7.0', files)).toEqual([]);
  });

  it('is not assignable if it differs', async () => {
    const files = {
      'types.ts': 'export type A = { a: string };',
      'zod.ts': "import * as z from 'zod';\nexport const ASchema: z.ZodType<{ a: number }> = z.any();",
      'check.ts': mutuallyAssignable(['A']),
    };
    expect(await compileWith('7.0', files)).toHaveLength(2);
  });
});
