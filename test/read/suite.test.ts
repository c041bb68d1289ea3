import { afterAll, describe, expect, it } from 'vitest';
import { createCompiler } from './compiled.js';
import { DRAFTS, suiteGroups, SUITE, suiteDocuments } from './suite.js';

if (SUITE === undefined) {
  it.skip('the official suite: JSON_SCHEMA_TEST_SUITE names no folder', () => undefined);
} else {
  const compiler = createCompiler(suiteDocuments());
  afterAll(() => {
    compiler.remove();
  });

  describe.each(DRAFTS)('the official tests of %s', (draft, folder) => {
    it.each(suiteGroups(folder))('%s', async (file, groups) => {
      for (const { description, schema, tests } of groups) {
        const { is, validate, zod } = await compiler.compile(schema, draft);
        const accepts = await zod();
        for (const { description: what, data, valid } of tests) {
          const verdict = validate(data);
          expect([is(data), verdict.ok], `${description}: ${what}`).toEqual([valid, valid]);
          // Zod's schemas assert formats, which the drafts leave to an option.
          const parsed = is(data, { formats: true });
          expect(accepts(data), `${description}: ${what}, Zod`).toBe(parsed);
          if (file !== 'format.json') expect(parsed, `${description}: ${what}`).toBe(valid);
          if (!verdict.ok) expect(verdict.errors[0]?.message).not.toContain('unchanged');
        }
      }
    });
  });
}
