import type { JsonObject, JsonSchema } from '../../json-schema/index.js';

/** So many combinations that the type of what has two of them is cut to `unknown`. */
const forty = (letter: string): JsonObject => ({
  anyOf: Array.from({ length: 40 }, (_, index) => ({
    type: 'object',
    properties: { [`${letter}${String(index)}`]: { type: 'string' } },
    required: [`${letter}${String(index)}`],
  })),
});

function memberOf(index: number): JsonObject {
  return {
    type: 'object',
    properties: {
      kind: { const: `k${String(index)}` },
      texts: { type: 'array', items: { type: 'string' } },
      more: { $ref: '#/$defs/More' },
    },
    required: ['kind'],
    ...(index % 16 === 1 && { allOf: [forty('a'), forty('b')] }),
  };
}

/** Unions of so many objects that a property tells apart, with names and without. The types of some are cut. */
export function unionsOf(...sizes: readonly number[]): Record<string, JsonSchema> {
  const all: Record<string, JsonSchema> = {
    More: { type: 'object', properties: { a: { type: 'number' } } },
  };
  for (const size of sizes) {
    const names = Array.from({ length: size }, (_, index) => `Of${String(size)}No${String(index)}`);
    for (const [index, name] of names.entries()) all[name] = memberOf(index);
    all[`Named${String(size)}`] = { oneOf: names.map((name) => ({ $ref: `#/$defs/${name}` })) };
    all[`Inline${String(size)}`] = { oneOf: names.map((_, index) => memberOf(index)) };
  }
  return all;
}
