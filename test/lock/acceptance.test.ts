import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptedValues, valueCheck } from '../../contracts/lock/compat/index.js';
import { sample } from '../../json-schema/sample/index.js';
import {
  createJudge,
  type Definition,
  type Draft,
  DRAFTS,
  type JsonSchema,
  type Node,
  Reading,
} from '../../json-schema/index.js';
import { compileByAjv, hasCircle, secondOpinion } from '../read/differential.js';
import { drawnSchema, drawnValue } from '../read/drawn.js';
import { sized } from '../support/size.js';

const ROOT: Node = { kind: 'ref', name: 'It' };

function definitionsOf(
  schema: JsonSchema,
  draft: Draft,
): ReadonlyMap<string, Definition> | undefined {
  let count = 0;
  const nameOf = (): string => `Part${String((count += 1))}`;
  const reading = new Reading(schema, { draft, depth: 100, nameOf });
  reading.define('It');
  const found = reading.finish();
  return hasCircle(found) ? undefined : found;
}

/** With fewer, it happens that hardly a schema is drawn that accepts a value. */
const numRuns = Math.max(40, sized(100));

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

describe.each(DRAFTS)('schemas of %s', (draft) => {
  const cases = fc.tuple(
    drawnSchema(draft).map(plain),
    fc.array(drawnValue, { minLength: 20, maxLength: 20 }).map(plain),
  );

  it('have the verdicts of other validators, also on generated values', () => {
    let accepted = 0;
    fc.assert(
      fc.property(cases, ([schema, drawn]) => {
        const definitions = definitionsOf(schema, draft);
        const ajv = compileByAjv(schema, draft);
        fc.pre(definitions !== undefined && ajv !== undefined);
        const judge = createJudge(definitions);
        const samples = sample(ROOT, { definitions, acceptance: judge });
        accepted += samples.length;
        for (const value of [...drawn, ...samples.slice(0, 30)]) {
          const verdict = judge.accepts(ROOT, value);
          // Where ajv differs, another validator decides.
          if (ajv(value) !== !verdict || secondOpinion(schema, draft, value) !== !verdict) continue;
          expect.fail(JSON.stringify({ schema, value, verdict }));
        }
      }),
      { numRuns, endOnFailure: true },
    );
    expect(accepted).toBeGreaterThan(numRuns / 10);
  });
});

describe('a check', () => {
  it('refuses a number that is infinite in JavaScript, as ajv does', () => {
    const check = valueCheck({ type: 'number', multipleOf: 0.5 });
    if (typeof check === 'string') expect.fail(check);
    expect(check(JSON.parse('1e999') as number)?.reason).toBe('must be a number');
  });

  it('is of texts for the names of properties, also without a type', () => {
    const v = { type: 'object', propertyNames: { maxLength: 2 }, minProperties: 1 };
    const values = acceptedValues({ type: 'object', properties: { v }, required: ['v'] });
    const keys = values.flatMap((value) => Object.keys((value as { v: object }).v));
    expect(keys.length).toBeGreaterThan(0);
    expect(keys).not.toContain('[object Object]');
  });

  it('accepts the keys that propertyNames lists', () => {
    const check = valueCheck({ type: 'object', propertyNames: { enum: ['a', 'b'] } });
    if (typeof check === 'string') expect.fail(check);
    expect(check({ a: 1 })).toBeUndefined();
    expect(check({ c: 1 })?.reason).toBe('must not have a property named "c"');
  });
});
