import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { ZodType } from 'zod';
import { REVISIONS } from '../../generator/read/load/index.js';
import { corpus, loadExamples } from '../support/corpus/index.js';
import { revisionOf } from '../support/emitted.js';

type Schemas = Readonly<Record<string, ZodType>>;

describe.each(REVISIONS)('the Zod schemas of %s', (revision) => {
  it('agree with ajv on every case and return accepted values unchanged', async () => {
    const { document } = revisionOf(revision);
    const schemas = (await import(`../../generated/${revision}/zod.ts`)) as Schemas;
    const wrong: unknown[] = [];
    let cases = 0;
    const { examples } = loadExamples(revision);
    for (const { definition, value, expected } of corpus(document, { examples })) {
      cases += 1;
      const parsed = schemas[`${definition}Schema`]?.safeParse(value);
      const unchanged = !parsed?.success || isDeepStrictEqual(parsed.data, value);
      if (parsed?.success !== expected || !unchanged) wrong.push({ definition, value, expected });
    }
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(cases).toBeGreaterThan(10_000);
  });
});
