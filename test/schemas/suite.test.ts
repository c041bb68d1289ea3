import { afterAll, describe, expect, it } from 'vitest';

import { isObject } from '../../runtime/peer/wire/json.js';
import { type Group, SUITE, suiteGroups } from '../read/suite.js';
import { verdictsOfAjv, verdictsOfTool } from './verdicts.js';

const DRAFTS = [
  ['draft2020-12', 'https://json-schema.org/draft/2020-12/schema'],
  ['draft7', 'http://json-schema.org/draft-07/schema#'],
] as const;

const DOCUMENT = 'it refers to another document';
const DYNAMIC = 'a dynamic reference is checked only in a schema with one';
/** Files with groups that cannot be tools, and what their author is told. */
const REFUSED: Readonly<Record<string, string>> = {
  ...{ 'defs.json': DOCUMENT, 'definitions.json': DOCUMENT, 'ref.json': DOCUMENT },
  ...{ 'refRemote.json': DOCUMENT, 'dynamicRef.json': `${DYNAMIC}|${DOCUMENT}` },
  'unevaluatedProperties.json': DYNAMIC,
  'vocabulary.json': 'metaschema-no-validation.json is not known',
};
/** Of the groups of both drafts: those that are tools, and those that are refused as above. */
const COUNTS = { served: 0, refused: 0 };

/** An object group: a schema that can be the arguments of a tool, with values that are objects. */
function objectGroups(groups: readonly Group[]): Group[] {
  return groups
    .map((group) => ({ ...group, tests: group.tests.filter(({ data }) => isObject(data)) }))
    .filter(({ schema, tests }) => isObject(schema) && tests.length > 0 && mayBeArguments(schema));
}

function mayBeArguments({ type = 'object' }: { readonly type?: unknown }): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object'));
}

if (SUITE === undefined) {
  it.skip('the official suite: JSON_SCHEMA_TEST_SUITE names no folder', () => undefined);
} else {
  describe.each(DRAFTS)(
    'tools with the object schemas of the official tests, %s',
    (folder, $schema) => {
      it.each(suiteGroups(folder))('%s', async (file, groups) => {
        for (const { description, schema, tests } of objectGroups(groups)) {
          const tool = { $schema, ...(schema as object) };
          const accepts = await verdictsOfTool(tool).catch((error: unknown) => error as TypeError);
          if (accepts instanceof Error) {
            expect(accepts, description).toBeInstanceOf(TypeError);
            const isNever = accepts.message.includes('the schema accepts none');
            if (isNever) expect(tests.filter(({ valid }) => valid)).toEqual([]);
            else expect(accepts.message, description).toMatch(RegExp(REFUSED[file] ?? 'no reason'));
            COUNTS.refused += Number(!isNever);
            continue;
          }
          COUNTS.served += 1;
          const ajv = verdictsOfAjv(tool);
          for (const { description: what, data, valid } of tests) {
            const verdict = await accepts(data);
            expect(verdict, `${description}: ${what}`).toBe(valid);
            // Where ajv and the suite agree, all three do.
            if (ajv(data) === valid) expect(verdict).toBe(ajv(data));
          }
        }
      });
    },
  );

  afterAll(() => {
    expect(COUNTS.served).toBeGreaterThanOrEqual(260);
    expect(COUNTS.refused).toBeLessThanOrEqual(24);
  });
}
