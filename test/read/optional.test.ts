import { afterAll, describe, expect, it } from 'vitest';
import { createCompiler } from './compiled.js';
import type { Group } from './suite.js';
import { DRAFTS, SUITE, suiteDocuments, suiteGroups } from './suite.js';

/** Tests with another verdict than the suite's, as "group: test", by their files. docs/generating.md lists them. */
const DIFFERENT: Readonly<Record<string, readonly string[]>> = {
  // The verdict of ajv-formats, which the protocol's messages are measured by.
  'uri.json': [
    'non-numeric port is invalid',
    'leading zero in an embedded IPv4 address is invalid',
    'square brackets are not allowed in a path segment',
  ],
  'uri-template.json': [
    'a dotted variable name is valid',
    'a delete character in a literal is invalid',
    'an apostrophe in a literal is valid',
  ],
  // The rule of the newer drafts: two hyphens there begin an A-label.
  'draft-04 hostname.json': ['hostname with consecutive hyphens (RFC1123)'],
  'draft-06 hostname.json': ['hostname with consecutive hyphens (RFC1123)'],
  // JSON in JavaScript has one kind of numbers.
  'draft-04 zeroTerminatedFloats.json': ['a float is not an integer even without fractional part'],
  // 2019-09 replaced `dependencies`, and the reader says so.
  'dependencies-compatibility.json': [
    'missing dependency',
    'missing other dependency',
    'missing both dependencies',
    'CRLF missing dependent',
    'quoted quotes missing dependent',
    'wrong type',
    'wrong type other',
    'wrong type both',
    'object with property having schema false is invalid',
    'object with both properties is invalid',
    'quoted quote',
    'quoted tab invalid under dependent schema',
    'quoted quote invalid under dependent schema',
  ],
  // The content of a string is an annotation since 2019-09, and here in draft-07 too.
  'content.json': [
    'an invalid JSON document',
    'an invalid base64 string (% is not a valid character)',
    'a validly-encoded invalid JSON document',
    'an invalid base64 string that is valid JSON',
  ],
};

const knownIn = (draft: string, file: string): readonly string[] =>
  DIFFERENT[`${draft} ${file}`] ?? DIFFERENT[file] ?? [];

if (SUITE === undefined) {
  it.skip('the official suite: JSON_SCHEMA_TEST_SUITE names no folder', () => undefined);
} else {
  const compiler = createCompiler(suiteDocuments());
  afterAll(() => {
    compiler.remove();
  });

  describe.each(DRAFTS)('the optional tests of %s', (draft, folder) => {
    const differing = async (groups: readonly Group[], formats: boolean): Promise<string[]> => {
      const found: string[] = [];
      for (const { schema, tests } of groups) {
        const { is, validate, zod } = await compiler.compile(schema, draft);
        const accepts = await zod();
        for (const { description, data, valid } of tests) {
          const verdict = is(data, { formats });
          expect(validate(data, { formats }).ok, description).toBe(verdict);
          expect(accepts(data), description).toBe(is(data, { formats: true }));
          if (verdict !== valid) found.push(description);
        }
      }
      return found;
    };

    it.each(suiteGroups(folder, 'optional', 'format'))('format/%s', async (file, groups) => {
      expect(await differing(groups, true)).toEqual(knownIn(draft, file));
    });

    it.each(suiteGroups(folder, 'optional'))('%s', async (file, groups) => {
      const found = await differing(groups, file === 'format-assertion.json');
      const known = new Set(knownIn(draft, file));
      expect(found.filter((each) => !known.has(each))).toEqual([]);
      expect(found.length > 0).toBe(known.size > 0);
    });
  });
}
