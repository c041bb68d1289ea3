import { Validator } from '@cfworker/json-schema';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { JsonValue } from '../../generator/ir/index.js';
import { circularDefinitions } from '../../generator/load/cycles.js';
import { Reading } from '../../generator/read/index.js';
import type { Draft, JsonSchema } from '../../generator/read/index.js';
import { createCompiler } from './compiled.js';
import { drawnSchema, drawnValue } from './drawn.js';

const OPTIONS = { strict: false, validateFormats: false, validateSchema: false } as const;

/** Compares verdicts with ajv's on drawn schemas and values. Returns the number of verdicts. */
export async function compareWithAjv(draft: Draft, schemas: number, seed: number): Promise<number> {
  const compiler = createCompiler();
  let verdicts = 0;
  let disputed = 0;
  const values = fc.array(drawnValue, { minLength: 40, maxLength: 40 });
  try {
    await fc.assert(
      fc.asyncProperty(drawnSchema(draft).map(plain), values.map(plain), async (schema, tried) => {
        fc.pre(!isCircular(schema, draft));
        const oracle = compileByAjv(schema, draft);
        fc.pre(oracle !== undefined);
        const { is, validate } = await compiler.compile(schema, draft);
        for (const value of tried) {
          const valid = is(value);
          expect(validate(value).ok).toBe(valid);
          verdicts += 1;
          if (valid === oracle(value)) continue;
          disputed += 1;
          const other = new Validator(schema, draft === '2020-12' ? '2020-12' : '7');
          expect(other.validate(value).valid, JSON.stringify({ schema, value })).toBe(valid);
        }
      }),
      { numRuns: schemas, seed, endOnFailure: false },
    );
  } finally {
    compiler.remove();
  }
  expect(disputed).toBeLessThan(verdicts / 500);
  return verdicts;
}

/**
 * ajv's verdicts; undefined where it exhausts its stack. It is wrong in a few places: it takes `[]` for
 * `{ prefixItems: […], contains: {} }`, and writes code that throws for some schemas inside a `not` that refuses
 * everything. Where it differs, another implementation decides.
 */
function compileByAjv(
  schema: JsonSchema,
  draft: Draft,
): ((value: JsonValue) => boolean | undefined) | undefined {
  try {
    const ajv = draft === '2020-12' ? new Ajv2020(OPTIONS) : new Ajv(OPTIONS);
    const validate = ajv.compile(schema as object);
    return (value) => {
      try {
        return validate(value);
      } catch {
        return undefined;
      }
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** As JSON has it: fast-check makes objects without a prototype, which ajv cannot compare. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** JSON Schema does not say what a schema means that applies itself to the same value. */
function isCircular(schema: JsonSchema, draft: Draft): boolean {
  let names = 0;
  const nameOf = (): string => `Part${(names += 1)}`;
  const reading = new Reading(schema, { draft, depth: 100, nameOf });
  reading.define('It');
  return circularDefinitions(reading.finish()).size > 0;
}
