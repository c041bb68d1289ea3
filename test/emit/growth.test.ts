import { describe, expect, it } from 'vitest';
import { emitValidators } from '../../generator/emit/validators/emit-validators.js';
import { emitZod } from '../../generator/emit/zod/emit-zod.js';
import type { JsonSchema } from '../../json-schema/index.js';
import { protocolOf } from '../support/protocol.js';
import { sampled } from '../support/size.js';

type Shape = (index: number, count: number) => JsonSchema;

const property = (name: string, node: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { [name]: node },
});
const reference = (index: number): JsonSchema => ({ $ref: `#/$defs/D${String(index)}` });

/** One definition for each index. */
const chain = (link: Shape) => (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`D${String(index)}`, link(index, count)]),
  );
/** One definition with a part for each index. */
const parts =
  (keyword: string, part: Shape) =>
  (count: number): Record<string, JsonSchema> => ({
    A: { [keyword]: Array.from({ length: count }, (_, index) => part(index, count)) },
  });

const own = (index: number): JsonSchema => property(`p${String(index)}`, { type: 'string' });

const SHAPES = {
  'definitions that extend the one before': chain((index) =>
    index === 0 ? own(0) : { allOf: [reference(index - 1), own(index)] },
  ),
  'definitions that extend the next one': chain((index, count) =>
    index === count - 1 ? own(index) : { allOf: [reference(index + 1), own(index)] },
  ),
  'allOf with a rule each for one property': parts('allOf', (index) =>
    property('a', { type: 'string', minLength: index }),
  ),
  'allOf with a rule each': parts('allOf', (index) => ({ type: 'string', minLength: index })),
  'allOf with a property each': parts('allOf', own),
  'anyOf with a property each': parts('anyOf', own),
  'an enum of objects': parts('enum', (index) => ({ a: index })),
};

describe('what is generated grows with the schema and no faster', () => {
  it.each(sampled(Object.entries(SHAPES), 3))('%s', (_, shape) => {
    const [small, large] = [500, 1_000].map((count) => {
      const protocol = protocolOf(shape(count));
      return emitZod(protocol).length + emitValidators(protocol).length;
    });
    expect(large).toBeLessThan(2.2 * (small ?? 0));
  });
});
