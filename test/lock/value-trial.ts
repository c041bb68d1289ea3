import { acceptedValues, compareSchemas } from '../../contracts/lock/compat/index.js';
import type { Direction, SchemaChange } from '../../contracts/lock/compat/index.js';
import type { JsonValue } from '../../json-schema/index.js';
import { createOracle } from '../corpus/oracle.js';
import type { Random } from '../read/variants.js';
import { expectedVerdict, mutantOf, worst } from './value-mutants.js';
import type { Mutant } from './value-mutants.js';
import type { Schema } from './places.js';

const DIRECTIONS: readonly Direction[] = ['input', 'output'];

/** Draws mutants of the schemas, and lists those with a wrong verdict, or with a witness that ajv refutes. */
export function verdictsOnMutants(
  schemas: readonly Schema[],
  count: number,
  random: Random,
): { readonly tried: number; readonly wrong: readonly string[] } {
  const wrong: string[] = [];
  let tried = 0;
  for (let draws = 0; tried < count && draws < 100 * count; draws += 1) {
    const schema = schemas[random(schemas.length)];
    const mutant = schema && mutantOf(schema, random);
    if (!mutant) continue;
    tried += 1;
    for (const direction of DIRECTIONS) {
      const problem = problemOf(mutant, direction);
      if (problem !== undefined) wrong.push(`${direction}: ${mutant.name}: ${problem}`);
    }
  }
  return { tried, wrong };
}

/** Draws schemas with several breaking changes, and lists the changes that their witness does not show. */
export function witnessesOfSeveral(
  schemas: readonly Schema[],
  count: number,
  random: Random,
): readonly string[] {
  return Array.from({ length: count }).flatMap(() => {
    const direction = DIRECTIONS[random(2)] ?? 'input';
    const mutants = Array.from({ length: 2 + random(2) }, () =>
      breakingMutant(schemas, direction, random),
    );
    const needed = mutants.map(() => random(8) > 0);
    const wrong = mutants.flatMap((_, at) => problemWith(at, mutants, needed, direction));
    return wrong.map(
      (each) => `${direction}: ${mutants.map(({ name }) => name).join(', ')}: ${each}`,
    );
  });
}

function breakingMutant(schemas: readonly Schema[], direction: Direction, random: Random): Mutant {
  for (;;) {
    const mutant = mutantOf(schemas[random(schemas.length)] ?? {}, random);
    const isOne = mutant && !('$schema' in mutant.before) && !('definitions' in mutant.before);
    if (isOne && expectedVerdict(mutant.effect, direction) === 'breaking') return mutant;
  }
}

/** An object with a part of each mutant. */
function objectOf(parts: readonly Schema[], needed: readonly boolean[]): Schema {
  const moved = parts.map((part, at): [string, JsonValue] => {
    const text = JSON.stringify(part).replaceAll(
      '"#/$defs/',
      `"#/properties/p${String(at)}/$defs/`,
    );
    return [`p${String(at)}`, JSON.parse(text) as JsonValue];
  });
  const required = moved.map(([name]) => name).filter((_, at) => needed[at] === true);
  return { type: 'object', properties: Object.fromEntries(moved), required };
}

/** The witness of one change is refused for that change: by a schema with that change only, and by none without it. */
function problemWith(
  at: number,
  mutants: readonly Mutant[],
  needed: readonly boolean[],
  direction: Direction,
): string[] {
  const side = (key: 'before' | 'after', own: 'before' | 'after'): Schema =>
    objectOf(
      mutants.map((mutant, index) => mutant[index === at ? own : key]),
      needed,
    );
  const [old, now] =
    direction === 'input' ? (['before', 'after'] as const) : (['after', 'before'] as const);
  const changes = compareSchemas(side('before', 'before'), side('after', 'after'), direction);
  const path = new RegExp(`^p${String(at)}\\b`);
  const own = changes.filter((change) => path.test(change.path) && change.verdict === 'breaking');
  const shown = (): string =>
    JSON.stringify({ at, own, before: side('before', 'before'), after: side('after', 'after') });
  if (own.length === 0) return [`no witness ${shown()}`];
  // A required part that no value passes on both sides is refused in every witness.
  const isOthers = mutants.some(
    (mutant, index) =>
      index !== at &&
      needed[index] === true &&
      !acceptedValues(mutant[old]).some((value) => accepts(mutant[now], value)),
  );
  return own.flatMap((change) => {
    if (change.verdict !== 'breaking') return [];
    const { value } = change.witness;
    if (!isWitness(value, side(old, old), side(now, now))) return [`no witness ${shown()}`];
    if (!isWitness(value, side(old, old), side(old, now))) return [`another change's ${shown()}`];
    return isOthers || accepts(side(now, old), value) ? [] : [`of several changes ${shown()}`];
  });
}

function problemOf({ before, after, effect }: Mutant, direction: Direction): string | undefined {
  const changes = compareSchemas(before, after, direction);
  const [found, expected] = [worst(changes), expectedVerdict(effect, direction)];
  const shown = (): string => JSON.stringify({ changes, before, after });
  if (found !== expected) return `${found} instead of ${expected} ${shown()}`;
  const [narrow, wide] = direction === 'input' ? [before, after] : [after, before];
  const isRefuted = changes.some((change) => !isConfirmed(change, narrow, wide));
  return isRefuted ? `a witness is none ${shown()}` : undefined;
}

function isConfirmed(change: SchemaChange, narrow: Schema, wide: Schema): boolean {
  return change.verdict !== 'breaking' || isWitness(change.witness.value, narrow, wide);
}

/** Whether ajv accepts a value by the one schema, and refuses it by the other. */
export function isWitness(value: JsonValue, narrow: JsonValue, wide: JsonValue): boolean {
  return accepts(narrow, value) && !accepts(wide, value);
}

function accepts(schema: JsonValue, value: JsonValue): boolean {
  const isOld = JSON.stringify(schema).includes('json-schema.org/draft-07');
  return createOracle(schema, isOld ? 'draft-07' : '2020-12', new Map()).at('')(value);
}
