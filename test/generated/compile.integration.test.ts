import { describe, expect, it } from 'vitest';
import { loadRevision, REVISIONS } from '../../generator/load/index.js';
import type { Revision } from '../../generator/load/index.js';
import { supportFiles } from '../support/emitted.js';
import { generatedFiles } from '../support/generated.js';
import { compileWith } from '../support/ts-compile.js';
import { compileAll } from './compile.js';

const namesOf = (revision: Revision): string[] => [
  ...loadRevision(revision).document.definitions.keys(),
];

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

// All revisions are for the quick compiler; the long tests compile them with the others too.
it.each([
  { version: '5.9', revisions: ['2026-07-28', 'ext-tasks'] },
  { version: '6.0', revisions: ['2025-11-25'] },
  { version: '7.0', revisions: REVISIONS },
] as const)(
  'TypeScript $version compiles the code of $revisions with the strictest options',
  async ({ version, revisions }) => expect(await compileAll(version, revisions)).toEqual([]),
);

describe('the type inferred by Zod', () => {
  it('and the generated one are assignable to each other, in all revisions', async () => {
    const files: Record<string, string> = { ...supportFiles() };
    for (const revision of REVISIONS) {
      const { 'types.ts': types = '', 'zod.ts': zod = '' } = generatedFiles(revision);
      files[`${revision}/types.ts`] = types;
      files[`${revision}/zod.ts`] = zod;
      files[`${revision}/check.ts`] = mutuallyAssignable(namesOf(revision));
    }
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
