import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonValue } from '../../json-schema/index.js';
import { createCompiler } from '../read/compiled.js';
import { groupsIn, suiteDocuments } from '../read/suite.js';
import type { Group } from '../read/suite.js';
import { downloaded } from './install.js';

/** The official suite of 2015, the newest one on npm: its draft-04 is read here, and draft-03 nowhere. */
const SUITE = { name: 'json-schema-test-suite', version: '0.0.10' };

let groups: readonly (readonly [string, readonly Group[]])[];
let documents: ReadonlyMap<string, JsonValue>;
beforeAll(async () => {
  const folder = await downloaded(SUITE);
  groups = groupsIn(join(folder, 'tests', 'draft4'));
  documents = suiteDocuments(folder);
});

describe('the official tests of draft-04 on npm', () => {
  let compiler: ReturnType<typeof createCompiler>;
  beforeAll(() => void (compiler = createCompiler(documents)));
  afterAll(() => compiler.remove());

  it('get the verdicts of the suite from is, validate and Zod', async () => {
    let count = 0;
    for (const [file, each] of groups) {
      for (const { description, schema, tests } of each) {
        const { is, validate, zod } = await compiler.compile(schema, 'draft-04');
        const accepts = await zod();
        for (const { description: what, data, valid } of tests) {
          const verdicts = [is(data), validate(data).ok, accepts(data)];
          expect(verdicts, `${file}: ${description}: ${what}`).toEqual([valid, valid, valid]);
          count += 1;
        }
      }
    }
    expect(count).toBeGreaterThan(250);
  });
});
