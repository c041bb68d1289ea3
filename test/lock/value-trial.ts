import { compareSchemas } from '../../generator/contracts/lock/compat/index.js';
import type { Direction, SchemaChange } from '../../generator/contracts/lock/compat/index.js';
import type { JsonValue } from '../../generator/ir/index.js';
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
