import { Validator } from '@cfworker/json-schema';
import { Ajv, type ErrorObject, type Options } from 'ajv';
import Ajv04 from 'ajv-draft-04';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect } from 'vitest';
import {
  compile,
  type Draft,
  type JsonSchema,
  jsonPointer,
  type JsonValue,
  pointerParts,
  read,
  type ReadDefinition,
  type Refusal,
  Reading,
} from '../../json-schema/index.js';
import { createCompiler } from './compiled.js';
import { drawnSchema, drawnValue } from './drawn.js';
import { metaschemas } from './suite.js';
import { partsOf, randomFrom, variantOf } from './variants.js';
import type { Random } from './variants.js';

const OPTIONS = { strict: false, validateFormats: false, validateSchema: false } as const;

export interface Effort {
  readonly schemas: number;
  /** Values per schema: 40 drawn ones, then variants of those. */
  readonly values: number;
  readonly seed: number;
}

const DRAWN = 40;
/** How many of a schema's values Zod judges as well, and for which share of the schemas. */
const FOR_ZOD = { values: 20, every: 4 } as const;

/**
 * Compares verdicts with ajv's on drawn schemas and values. Returns the number of verdicts: a value counts once
 * for each schema.
 */
export async function compareWithAjv(
  draft: Draft,
  { schemas, values, seed }: Effort,
): Promise<number> {
  const compiler = createCompiler();
  let verdicts = 0;
  let disputed = 0;
  let tried = 0;
  const drawn = fc.array(drawnValue, { minLength: DRAWN, maxLength: DRAWN });
  try {
    await fc.assert(
      fc.asyncProperty(
        drawnSchema(draft).map(plain),
        drawn.map(plain),
        fc.integer(),
        async (schema, first, start) => {
          fc.pre(!isCircular(schema, draft));
          const oracle = compileByAjv(schema, draft);
          fc.pre(oracle !== undefined);
          const { is, validate, zod } = await compiler.compile(schema, draft);
          const room = roomOf(schema, draft);
          const pool = createPool(schema, first, randomFrom(start));
          for (let value = pool.next(values); value !== undefined; value = pool.next(values)) {
            const valid = is(value);
            if (validate(value).ok !== valid)
              expect.fail(show('is and validate differ', schema, value));
            room.compare(value, valid);
            verdicts += 1;
            if (valid) pool.add(value);
            const expected = oracle(value);
            if (valid === expected) continue;
            if (expected !== undefined) disputed += 1;
            if (secondOpinion(schema, draft, value) === !valid)
              expect.fail(show('others say no', schema, value));
          }
          tried += 1;
          if (tried % FOR_ZOD.every !== 0) return;
          const accepts = await zod();
          for (const value of pool.all.slice(-FOR_ZOD.values)) {
            if (accepts(value) !== is(value)) expect.fail(show('Zod differs', schema, value));
          }
        },
      ),
      { numRuns: schemas, seed, endOnFailure: false },
    );
  } finally {
    compiler.remove();
  }
  expect(disputed).toBeLessThan(verdicts / 500);
  return verdicts;
}

/**
 * Compares the verdicts of the room alone with ajv's, and those of another validator where the two differ, and the places of its
 * refusals with ajv's: on many schemas, with few values each. Returns how many values were accepted, and how many refused.
 */
export function compareRoomWithAjv(
  draft: Draft,
  { schemas, values, seed }: Effort,
): { readonly accepted: number; readonly refused: number } {
  const seen = { accepted: 0, refused: 0 };
  const drawn = fc.array(drawnValue, { minLength: values, maxLength: values });
  fc.assert(
    fc.property(drawnSchema(draft).map(plain), drawn.map(plain), (schema, given) => {
      fc.pre(!isCircular(schema, draft));
      const oracle = compileByAjv(schema, draft);
      fc.pre(oracle !== undefined);
      const room = roomOf(schema, draft);
      const comparePlaces = placesByAjv(schema, draft);
      for (const value of given) {
        const own = room.accepts(value);
        const isAgreed = oracle(value) === own;
        const valid = isAgreed ? own : secondOpinion(schema, draft, value);
        if (valid === undefined) continue;
        const refusals = room.compare(value, valid);
        if (isAgreed && !own) comparePlaces(refusals, value);
        seen[valid ? 'accepted' : 'refused'] += 1;
      }
    }),
    { numRuns: schemas, seed, endOnFailure: true },
  );
  return seen;
}

/** The room's own checks of a schema, which `compare` compares with a verdict. */
function roomOf(
  schema: JsonSchema,
  draft: Draft,
): { accepts(value: JsonValue): boolean; compare(value: JsonValue, valid: boolean): Refusal[] } {
  const { node, definitions } = read(schema, { draft });
  const { accepts, refusals } = compile(node, definitions, { formats: false });
  /** There are refusals exactly when the value is invalid, each at a place of the value. Returns all. */
  function compare(value: JsonValue, valid: boolean): Refusal[] {
    if (accepts(value) !== valid) expect.fail(show('the room differs', schema, value));
    const [first, all] = [refusals(value), refusals(value, { all: true })];
    const isSound =
      (all.length === 0) === valid &&
      first.length === Math.min(all.length, 1) &&
      first[0]?.pointer === all[0]?.pointer &&
      all.every(({ pointer }) => has(value, pointerParts(pointer)));
    if (!isSound) expect.fail(show(`refusals ${JSON.stringify(all)}`, schema, value));
    return all;
  }
  return { accepts, compare };
}

function has(value: JsonValue, path: readonly string[]): boolean {
  let at: unknown = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return false;
    at = at[part as never];
  }
  return true;
}

const show = (what: string, schema: JsonSchema, value: JsonValue): string =>
  `${what}: ${JSON.stringify({ schema, value })}`;

/** Values to try: the first ones, then variants of these and of accepted ones. Each is given once. */
function createPool(schema: JsonValue, first: readonly JsonValue[], random: Random) {
  const parts = [...partsOf(schema), ...first];
  const all = [...first];
  const seen = new Set<string>();
  let drawn = 0;
  const isNew = (value: JsonValue): boolean => {
    const { size } = seen;
    return seen.add(JSON.stringify(value)).size > size;
  };
  const candidate = (): JsonValue => {
    if (drawn < first.length) return first[drawn++] ?? null;
    return variantOf(all[random(all.length)] ?? null, parts, random);
  };
  return {
    all,
    add: (value: JsonValue) => void all.push(value),
    next(limit: number): JsonValue | undefined {
      for (let attempts = 0; seen.size < limit && attempts < 100; attempts += 1) {
        const value = candidate();
        if (isNew(value)) return value;
      }
      return undefined;
    },
  };
}

const DRAFT_06 = new Map(metaschemas()).get('http://json-schema.org/draft-06/schema#') as object;
const AJV: Readonly<Record<Draft, (options: Options) => Pick<Ajv, 'compile'>>> = {
  'draft-04': (options) => new Ajv04.default(options),
  'draft-06': (options) => new Ajv(options).addMetaSchema(DRAFT_06),
  'draft-07': (options) => new Ajv(options),
  '2019-09': (options) => new Ajv2019(options),
  '2020-12': (options) => new Ajv2020(options),
};

/** As the second opinion calls them. It has no draft-06, whose keywords mean the same in draft-07. */
const CALLED = {
  'draft-04': '4',
  'draft-06': '7',
  'draft-07': '7',
  '2019-09': '2019-09',
  '2020-12': '2020-12',
} as const satisfies Record<Draft, string>;

/**
 * ajv's verdicts; undefined where it exhausts its stack. It is wrong in a few places: it takes `[]` for
 * `{ prefixItems: […], contains: {} }`, and writes code that throws for some schemas inside a `not` that refuses
 * everything. Where it differs, another implementation decides.
 */
export function compileByAjv(
  schema: JsonSchema,
  draft: Draft,
): ((value: JsonValue) => boolean | undefined) | undefined {
  try {
    const ajv = AJV[draft](OPTIONS);
    const validate = ajv.compile(forOracle(schema, draft) as object);
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

/**
 * Expects that ajv refuses a value at each place of our refusals, too. It looks for what is unevaluated only while it has
 * found nothing else, so schemas that ask for it have no such comparison. It reads the integer in 1e21 as 1, so for it that
 * number is a multiple of nothing.
 */
function placesByAjv(
  schema: JsonSchema,
  draft: Draft,
): (refusals: readonly Refusal[], value: JsonValue) => void {
  const text = JSON.stringify(schema);
  if (text.includes('"unevaluated')) return () => undefined;
  const misreads = text.includes('"multipleOf"');
  const options = { ...OPTIONS, allErrors: true };
  const validate = AJV[draft](options).compile(forOracle(schema, draft) as object);
  return (refusals, value) => {
    if (misreads && JSON.stringify(value).includes('1e+21')) return;
    try {
      validate(value);
    } catch {
      return;
    }
    const errors = validate.errors ?? [];
    const odd = refusals.find((refusal) => !errors.some((error) => isAt(error, refusal)));
    if (odd) expect.fail(show(`ajv has no error at ${JSON.stringify(odd)}`, schema, value));
  };
}

/**
 * One key that is not allowed is refused at its object or at itself, and an item beyond the last one at its array or at itself.
 * Where all items have one type, ajv compares only those of that type, and refuses the others.
 */
function isAt({ instancePath, params }: ErrorObject, { pointer, reason }: Refusal): boolean {
  const [, key] = /^must not have the property "(.*)"$/.exec(reason) ?? [];
  if (pointer === instancePath || pointer + jsonPointer([key ?? '']) === instancePath) return true;
  if (/^must not have two equal items/.test(reason) && instancePath.startsWith(`${pointer}/`)) {
    return true;
  }
  const { limit = Infinity, additionalProperty = NaN } = params as Partial<Record<string, number>>;
  const last = pointerParts(pointer).at(-1) ?? '';
  const isBeside = pointer === instancePath + jsonPointer([last]);
  return isBeside && (Number(last) >= limit || last === String(additionalProperty));
}

/**
 * The verdict where ours and ajv's differ. Undefined where it exhausts its stack: it follows a definition that is
 * nothing but a reference to itself also where the type refuses the value already.
 */
export function secondOpinion(
  schema: JsonSchema,
  draft: Draft,
  value: JsonValue,
): boolean | undefined {
  try {
    return new Validator(forOracle(schema, draft), CALLED[draft]).validate(value).valid;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * A schema of 2019-09 whose `contains` evaluates no items, as that draft says: both oracles apply the rule of 2020-12 to
 * it. A double `not` has the same verdict, and hides what it evaluates.
 */
function forOracle(schema: JsonSchema, draft: Draft): JsonSchema {
  if (draft !== '2019-09' || typeof schema === 'boolean') return schema;
  return JSON.parse(JSON.stringify(schema), (_, part: JsonValue) => {
    if (typeof part !== 'object' || part === null || !('contains' in part)) return part;
    const { contains, minContains, maxContains, allOf, ...rest } = part;
    const hidden = { not: { not: { contains, minContains, maxContains } } };
    return { ...rest, allOf: [...(Array.isArray(allOf) ? allOf : []), hidden] };
  }) as JsonSchema;
}

/** Whether a value shows, by the second opinion, that a schema accepts what another refuses. */
export const isWitness = (
  value: JsonValue,
  { accepts, refuses }: { readonly accepts: JsonSchema; readonly refuses: JsonSchema },
  draft: Draft,
): boolean =>
  secondOpinion(accepts, draft, value) !== false && secondOpinion(refuses, draft, value) !== true;

/** As JSON has it: fast-check makes objects without a prototype, which ajv cannot compare. */
export function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** JSON Schema does not say what a schema means that applies itself to the same value. */
export function isCircular(schema: JsonSchema, draft: Draft): boolean {
  let names = 0;
  const nameOf = (): string => `Part${(names += 1)}`;
  const reading = new Reading(schema, { draft, depth: 100, nameOf });
  reading.define('It');
  return hasCircle(reading.finish());
}

export function hasCircle(read: ReadonlyMap<string, ReadDefinition>): boolean {
  const codes = [...read.values()].flatMap(({ diagnostics }) =>
    diagnostics.map(({ code }) => code),
  );
  return codes.includes('circular-ref');
}
