import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareSchemas } from '../../contracts/lock/compat/index.js';
import { contains } from '../../json-schema/compare/index.js';
import {
  createJudge,
  type Definition,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  type Node,
  Reading,
} from '../../json-schema/index.js';
import { compileByAjv, hasCircle, isWitness, plain } from '../read/differential.js';
import { drawnSchema, drawnValue } from '../read/drawn.js';
import { sized } from '../support/size.js';

const DRAFT = '2020-12';

function definitionsOf(
  schema: JsonSchema,
  name: string,
): ReadonlyMap<string, Definition> | undefined {
  let count = 0;
  const nameOf = (): string => `${name}${String((count += 1))}`;
  const reading = new Reading(schema, { draft: DRAFT, depth: 100, nameOf });
  reading.define(name);
  const found = reading.finish();
  return hasCircle(found) ? undefined : found;
}

/** A schema, and the same without a keyword, or with one of another schema. */
const pairs = fc
  .tuple(drawnSchema(DRAFT).map(plain), drawnSchema(DRAFT).map(plain), fc.nat(), fc.boolean())
  .map(([schema, other, at, isRemoved]): readonly [JsonObject, JsonObject] => {
    if (typeof schema === 'boolean' || typeof other === 'boolean') return [{}, {}];
    const keys = Object.keys(isRemoved ? schema : other).filter((key) => key !== '$defs');
    const key = keys[at % Math.max(1, keys.length)] ?? 'title';
    const { [key]: _, ...rest } = schema;
    const value = other[key];
    return [schema, isRemoved || value === undefined ? rest : { ...rest, [key]: value }];
  });

const values = fc.array(drawnValue, { minLength: 60, maxLength: 60 }).map(plain);

describe('a proof', () => {
  it('holds for each value, by ajv', () => {
    let proved = 0;
    fc.assert(
      fc.property(pairs, values, ([outer, inner], drawn) => {
        const [wide, narrow] = [definitionsOf(outer, 'Outer'), definitionsOf(inner, 'Inner')];
        const [accepts, offers] = [compileByAjv(outer, DRAFT), compileByAjv(inner, DRAFT)];
        fc.pre(wide !== undefined && narrow !== undefined);
        fc.pre(accepts !== undefined && offers !== undefined);
        const definitions = new Map([...wide, ...narrow]);
        const schemas = { definitions, acceptance: createJudge(definitions) };
        const ref = (name: string): Node => ({ kind: 'ref', name });
        if (!contains(ref('Outer'), ref('Inner'), schemas)) return;
        proved += 1;
        for (const value of drawn) {
          if (offers(value) === true && accepts(value) === false) {
            // ajv is wrong in a few places; the acceptance has the verdicts of two validators.
            if (schemas.acceptance.accepts(ref('Outer'), value)) continue;
            if (!schemas.acceptance.accepts(ref('Inner'), value)) continue;
            expect.fail(JSON.stringify({ outer, inner, value }));
          }
        }
      }),
      { numRuns: sized(150) },
    );
    expect(proved).toBeGreaterThan(sized(150) / 15);
  });
});

const listed = (k: JsonValue, least: number, most: number): JsonValue => ({
  type: 'object',
  properties: {
    k,
    ...Object.fromEntries(
      ['a', 'b', 'c'].map((name, at) => [
        name,
        { type: 'number', minimum: least * (at + 1), maximum: most * (at + 1) },
      ]),
    ),
  },
  required: ['k', 'a', 'b', 'c'],
});

describe('a comparison', () => {
  it.each<[string, JsonObject, JsonObject, string]>([
    [
      'a key that is unevaluated now',
      { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
      { allOf: [{ properties: { b: true } }], unevaluatedProperties: false },
      'breaking',
    ],
    [
      'an item that is unevaluated now',
      { allOf: [{ prefixItems: [true] }], unevaluatedItems: false },
      { allOf: [{}], unevaluatedItems: false },
      'breaking',
    ],
    [
      'another notation of what is evaluated',
      { anyOf: [{ properties: { a: true } }, { type: 'null' }], unevaluatedProperties: false },
      { anyOf: [{ type: 'null' }, { properties: { a: {} } }], unevaluatedProperties: false },
      'no change',
    ],
    [
      'a new property that a pattern described before',
      { type: 'object', patternProperties: { '^x_': {} } },
      { type: 'object', patternProperties: { '^x_': {} }, properties: { x_a: { type: 'null' } } },
      'breaking',
    ],
    [
      'an alternative that accepts what another one does',
      { oneOf: [listed({ const: 'x' }, 500, 510), listed({ const: 'y' }, 0, 9_000)] },
      { oneOf: [listed({ enum: ['x', 'y'] }, 500, 510), listed({ const: 'y' }, 0, 9_000)] },
      'unclear',
    ],
  ])('sees %s', (_, before, after, verdict) => {
    const [found] = compareSchemas(before, after, 'input');
    expect(found?.verdict ?? 'no change').toBe(verdict);
  });

  it('finds no change between a schema and itself', () => {
    fc.assert(
      fc.property(drawnSchema(DRAFT).map(plain), (schema) => {
        fc.pre(typeof schema !== 'boolean' && definitionsOf(schema, 'It') !== undefined);
        expect(compareSchemas(schema, plain(schema), 'input')).toEqual([]);
      }),
      { numRuns: sized(100) },
    );
  });

  it('has a witness for each breaking change, which is one by other validators', () => {
    fc.assert(
      fc.property(pairs, ([before, after]) => {
        const [old, now] = [compileByAjv(before, DRAFT), compileByAjv(after, DRAFT)];
        fc.pre(old !== undefined && now !== undefined);
        const changes = compareSchemas(before, after, 'input');
        for (const change of changes) {
          if (change.verdict !== 'breaking') continue;
          const { value } = change.witness;
          const isConfirmed = old(value) !== false && now(value) !== true;
          // ajv is wrong in a few places. Where it says no, another implementation decides.
          if (isConfirmed || isWitness(value, { accepts: before, refuses: after }, DRAFT)) continue;
          expect.fail(JSON.stringify({ before, after, value }));
        }
      }),
      { numRuns: sized(100) },
    );
  });
});
