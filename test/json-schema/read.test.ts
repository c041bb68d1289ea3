import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DRAFTS, isObject, read } from '../../json-schema/index.js';
import { CONTAINERS, keywordsOf } from '../../json-schema/read/keywords.js';
import { isBefore } from '../../json-schema/read/drafts.js';
import { plain } from '../read/differential.js';
import { drawnSchema } from '../read/drawn.js';
import { sized } from '../support/size.js';

/** Values of which each keyword with a form refuses one. */
const WRONG = [5, 'x', null, [7], { a: 7 }, '('];

describe.each(DRAFTS)('a schema of %s', (draft) => {
  it('has a fault for each malformed keyword, wherever it stands', () => {
    let tried = 0;
    for (const [name, { check }] of keywordsOf(draft)) {
      const wrong = WRONG.find((value) => check(value) !== undefined);
      if (wrong === undefined || name === '$schema') continue;
      tried += 1;
      const severity = CONTAINERS.has(name) ? 'warning' : 'error';
      const fault = { code: 'malformed-keyword', severity, pointer: `/${name}` };
      const other = name === 'properties' ? { required: ['a'] } : { properties: {} };
      for (const schema of [
        { ...other, [name]: wrong },
        { [name]: wrong, ...other },
      ]) {
        const faults = read(schema, { draft }).faults.map(({ code, severity, pointer }) => ({
          code,
          severity,
          pointer,
        }));
        expect(faults, JSON.stringify(schema)).toContainEqual(fault);
      }
    }
    expect(tried).toBeGreaterThan(25);
  });

  it('means the same beside a schema with a name of its own', () => {
    const container = isBefore(draft, '2019-09') ? 'definitions' : '$defs';
    const named = { [draft === 'draft-04' ? 'id' : '$id']: 'urn:example:named' };
    fc.assert(
      fc.property(drawnSchema(draft).map(plain), (schema) => {
        if (!isObject(schema)) return;
        const beside = { ...schema, [container]: { ...(schema[container] as object), named } };
        expect(read(beside, { draft })).toEqual(read(schema, { draft }));
      }),
      { numRuns: sized(300), seed: 45 },
    );
  });
});
