import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import type { JsonValue } from '../../generator/ir/index.js';
import type { JsonSchema } from '../../generator/read/index.js';
import { createCompiler } from '../read/compiled.js';
import { isCircular, plain } from '../read/differential.js';
import { drawnSchema, drawnValue } from '../read/drawn.js';
import { partsOf, randomFrom, variantOf } from '../read/variants.js';
import { sized } from '../support/size.js';

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

it('issues of what Zod cannot say are the errors of the validator', async () => {
  const random = randomFrom(29);
  const drawn = fc.sample(drawnSchema('2020-12'), { numRuns: sized(60), seed: 29 }).map(plain);
  let compared = 0;
  for (const part of drawn) {
    const schema = { allOf: [part], minProperties: 0 };
    if (isCircular(schema, '2020-12')) continue;
    const { validate, schema: zod } = await compiler.compile(schema);
    const parser = await zod();
    const values = fc.sample(drawnValue, { numRuns: 30, seed: 29 }).map(plain);
    const parts = [...partsOf(schema), ...values];
    for (const value of values.flatMap((each) => [each, variantOf(each, parts, random)])) {
      const verdict = validate(value, { formats: true });
      const { success, error } = parser.safeParse(value);
      expect(success).toBe(verdict.ok);
      if (verdict.ok) continue;
      const errors = verdict.errors as readonly { pointer: string; message: string }[];
      const issues = error?.issues ?? [];
      expect(issues.map(({ path }) => pointerOf(path))).toEqual(
        errors.map(({ pointer }) => pointer),
      );
      const messages = errors.map(({ message }) => `Invalid input: ${message}`);
      issues.forEach(({ code, message }, index) => {
        if (code === 'custom') expect(message).toBe(messages[index]);
      });
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(500);
});
