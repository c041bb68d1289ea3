import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import type { JsonSchema, JsonValue } from '../../json-schema/index.js';
import { createCompiler } from '../read/compiled.js';
import { isCircular, plain } from '../read/differential.js';
import { drawnSchema, drawnValue } from '../read/drawn.js';
import { partsOf, randomFrom, variantOf } from '../read/variants.js';
import { sized } from '../support/size.js';
import { isWithin } from './places.js';

const compiler = createCompiler();
afterAll(() => compiler.remove());

/** `/a/0`, for `['a', 0]`. */
const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

it.each<[string, JsonSchema, JsonValue, readonly PropertyKey[], string]>([
  [
    'patternProperties',
    { patternProperties: { '^a': { type: 'number' } } },
    { ab: 'x' },
    ['ab'],
    'custom',
  ],
  ['prefixItems', { prefixItems: [{}, { type: 'null' }] }, [1, 2], [1], 'custom'],
  [
    'oneOf',
    { oneOf: [{ properties: { 'a/~': { const: 1 } } }, false] },
    { 'a/~': 2 },
    ['a/~'],
    'invalid_value',
  ],
  [
    'a key like an index',
    { patternProperties: { 0: { type: 'null' } } },
    { 0: 1 },
    ['0'],
    'custom',
  ],
  ['multipleOf', { multipleOf: 2 }, 3, [], 'custom'],
])('an issue of %s has the path of the value', async (_, schema, value, path, code) => {
  const { schema: zod } = await compiler.compile(schema);
  const issues = (await zod()).safeParse(value).error?.issues ?? [];
  expect(issues).toMatchObject([
    { code, path, message: expect.stringMatching(/^Invalid (?:input|number): \S/) as string },
  ]);
});

it('a key named __proto__ is kept beside a check, and in a copy with a description', async () => {
  const schema = {
    type: 'object',
    properties: { ['__proto__']: { type: 'number' }, toString: {} },
    required: ['__proto__', 'toString'],
  };
  const { schema: zod } = await compiler.compile(schema);
  const parser = await zod();
  const value: unknown = JSON.parse('{"__proto__":1,"toString":1}');
  for (const each of [parser, parser, parser.describe('A copy.')]) {
    expect(each.safeParse(value)).toMatchObject({ success: true });
    expect(Object.hasOwn(each.parse(value) as object, '__proto__')).toBe(true);
    expect(each.safeParse({ toString: 1 }).success).toBe(false);
    expect(each.safeParse(JSON.parse('{"__proto__":1}')).success).toBe(false);
  }
});

it('issues have the paths of the errors of the validator', async () => {
  const random = randomFrom(29);
  const drawn = fc.sample(drawnSchema('2020-12'), { numRuns: sized(120), seed: 29 }).map(plain);
  let compared = 0;
  let elsewhere = 0;
  for (const schema of drawn) {
    if (isCircular(schema, '2020-12')) continue;
    const { validate, schema: zod } = await compiler.compile(schema);
    const parser = await zod();
    const values = fc.sample(drawnValue, { numRuns: 30, seed: 29 }).map(plain);
    const parts = [...partsOf(schema), ...values];
    for (const value of values.flatMap((each) => [each, variantOf(each, parts, random)])) {
      const verdict = validate(value, { formats: true });
      const { success, error } = parser.safeParse(value);
      expect(success, JSON.stringify({ schema, value })).toBe(verdict.ok);
      if (verdict.ok) continue;
      const pointers = new Set(verdict.errors.map(({ pointer }) => pointer));
      for (const { path } of error?.issues ?? []) {
        const place = pointerOf(path);
        compared += 1;
        if (pointers.has(place)) continue;
        elsewhere += 1;
        const isNear =
          isWithin(place, pointers) || [...pointers].some((each) => isWithin(each, [place]));
        expect(isNear, JSON.stringify({ schema, value, place })).toBe(true);
      }
    }
  }
  // A part that accepts no value is reported as a whole. One such schema of a few has many issues.
  expect(elsewhere / compared).toBeLessThan(0.1);
  expect(compared).toBeGreaterThan(4 * drawn.length);
});
