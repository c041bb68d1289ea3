import { afterAll, describe, expect, it } from 'vitest';
import { createCompiler } from './compiled.js';
import { requiredGroups, SUITE, suiteDocuments } from './suite.js';

const DRAFTS = [
  ['2020-12', 'draft2020-12'],
  ['draft-07', 'draft7'],
] as const;

if (SUITE === undefined) {
  it.skip('the official suite: JSON_SCHEMA_TEST_SUITE names no folder', () => undefined);
} else {
  const compiler = createCompiler(suiteDocuments());
  afterAll(() => {
    compiler.remove();
  });

  describe.each(DRAFTS)('the official tests of %s', (draft, folder) => {
    it.each(requiredGroups(folder))('%s', async (_, groups) => {
      for (const { description, schema, tests } of groups) {
        const { is, validate } = await compiler.compile(schema, draft);
        for (const { description: what, data, valid } of tests) {
          const verdict = validate(data);
          expect([is(data), verdict.ok], `${description}: ${what}`).toEqual([valid, valid]);
          if (!verdict.ok) expect(verdict.errors[0]?.message).not.toContain('unchanged');
        }
      }
    });
  });
}
