import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type Draft, DRAFTS, type JsonValue } from '../../json-schema/index.js';
import { sized } from '../support/size.js';
import { createCompiler } from './compiled.js';
import { compileByAjv, plain } from './differential.js';
import { drawnSchema, drawnValue } from './drawn.js';
import { metaschemas } from './suite.js';
import { partsOf, randomFrom, variantOf } from './variants.js';

const compiler = createCompiler();
afterAll(() => compiler.remove());

/** The official files, as ajv's packages have them. */
const OFFICIAL = metaschemas();
const draftOf = (uri: string): Draft => DRAFTS.find((draft) => uri.includes(draft)) ?? '2020-12';

/** Schemas, and their variants, which are often none. */
function candidates(draft: Draft): JsonValue[] {
  const random = randomFrom(31);
  const drawn = fc.sample(drawnSchema(draft), { numRuns: sized(60), seed: 31 }).map(plain);
  const files = OFFICIAL.filter(([uri]) => draftOf(uri) === draft).map(([, json]) => json);
  const whole = [...drawn, ...files] as JsonValue[];
  const parts = [...whole.flatMap((each) => partsOf(each)), '#', '^(', 'https://a.example/b#c', -1];
  const values = fc.sample(drawnValue, { numRuns: 40, seed: 31 }).map(plain);
  const changed = whole.flatMap((each) =>
    Array.from({ length: 40 }, (_, count) => {
      let value = each;
      for (let step = count % 3; step >= 0; step -= 1) value = variantOf(value, parts, random);
      return value;
    }),
  );
  const keywords = files.flatMap((file) =>
    Object.keys((file as { properties?: object }).properties ?? {}),
  );
  const single = keywords.flatMap((name) => values.map((value) => ({ [name]: value })));
  return [...whole, ...values, ...changed, ...single];
}

describe.each(DRAFTS)('the metaschemas of %s', (draft) => {
  const values = candidates(draft);

  it.each(OFFICIAL.filter(([uri]) => draftOf(uri) === draft).map(([uri]) => uri))(
    '%s is known, and accepts what the official file accepts',
    async (uri) => {
      const { is } = await compiler.compile({ $ref: uri }, draft);
      const official = compileByAjv({ $ref: uri }, draft);
      const seen = { true: 0, false: 0 };
      for (const value of values) {
        const verdict = official?.(value);
        expect(is(value), JSON.stringify(value)).toBe(verdict);
        seen[`${verdict ?? false}`] += 1;
      }
      expect(Math.min(seen.true, seen.false)).toBeGreaterThan(50);
    },
  );

  it('have the definitions of the official files', async () => {
    for (const [uri, json] of OFFICIAL.filter(([each]) => draftOf(each) === draft)) {
      const { definitions, $defs } = json as { definitions?: object; $defs?: object };
      for (const name of Object.keys({ ...definitions, ...$defs })) {
        const container = definitions ? 'definitions' : '$defs';
        const $ref = `${uri.replace(/#$/, '')}#/${container}/${name}`;
        const schema = { properties: { it: { $ref } } };
        const { is } = await compiler.compile(schema, draft);
        const official = compileByAjv(schema, draft);
        const isDynamic = name === 'schemaArray' && $defs !== undefined;
        for (const it of [-1, 0, 'string', 'a b', '', [], ['a'], ['a', 'a'], [{}], {}, null]) {
          // ajv refuses every schema where a pointer leads past a dynamic anchor.
          if (isDynamic && Array.isArray(it) && it.length === 1 && typeof it[0] === 'object') {
            expect(is({ it })).toBe(true);
            continue;
          }
          expect(is({ it }), `${$ref}: ${JSON.stringify(it)}`).toBe(official?.({ it }));
        }
      }
    }
  });

  it('are known by all their names', async () => {
    const uri = OFFICIAL.find(([each]) => draftOf(each) === draft && !each.includes('/meta/'))?.[0];
    for (const name of [
      uri ?? '',
      `${uri ?? ''}`.replace(/#$/, ''),
      `${uri ?? ''}`.replace(/^http:/, 'https:'),
    ]) {
      const { is } = await compiler.compile({ properties: { schema: { $ref: name } } }, draft);
      expect([is({ schema: { type: 'string' } }), is({ schema: { type: 1 } })]).toEqual([
        true,
        false,
      ]);
    }
  });
});
