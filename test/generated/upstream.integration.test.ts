import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compareTypes, upstreamTypes, upstreamTypesVariable } from '../support/assignable.js';
import { bundledSchema, definitionsOf, revisions } from '../support/corpus/index.js';

describe.each(revisions)('the types of %s', (revision) => {
  it('are assignable to the official ones, and those to them', async ({ skip }) => {
    const theirs = upstreamTypes(revision);
    if (theirs === undefined) {
      return skip(`set ${upstreamTypesVariable} to a folder with ${revision}/schema.ts`);
    }
    const file = new URL(`../../generated/${revision}/types.ts`, import.meta.url);
    const ours = { entry: 'types.ts', files: { 'types.ts': readFileSync(file, 'utf8') } };
    const { compared, mismatches } = await compareTypes('7.0', ours, theirs);
    expect(mismatches).toEqual([]);
    const definitions = Object.keys(definitionsOf(bundledSchema(revision)));
    expect(compared.toSorted()).toEqual(definitions.toSorted());
  });
});
