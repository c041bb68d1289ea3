import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../json-schema/index.js';
import { emitToolValidators, readTools } from '../../generator/tools/index.js';
import { supportFiles } from '../support/emitted.js';
import { compileWith } from '../support/ts-compile.js';

const NAMES = ['One', 'Two', 'Three', 'Four', 'Five'];
const reference = fc
  .constantFrom(...NAMES)
  .map((name): JsonObject => ({ $ref: `#/$defs/${name}` }));
const leaf = fc.constantFrom<JsonObject>(
  { type: 'string', minLength: 2 },
  { const: 'a' },
  { type: 'string', format: 'uri' },
  { enum: ['a', 1] },
  { not: {} },
  {},
);

const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => {
  const members = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
  const one = tie('schema');
  return {
    schema: fc.oneof(
      { maxDepth: 4 },
      leaf,
      reference.map((items): JsonObject => ({ type: 'array', items })),
      members.map((anyOf): JsonObject => ({ anyOf })),
      members.map((oneOf): JsonObject => ({ oneOf })),
      members.map((allOf): JsonObject => ({ allOf })),
      one.map((not): JsonObject => ({ not })),
      one.map((contains): JsonObject => ({ type: 'array', contains })),
      one.map((contains): JsonObject => ({ type: 'array', contains, minContains: 0 })),
      members.map((prefixItems): JsonObject => ({ type: 'array', prefixItems })),
      one.map((propertyNames): JsonObject => ({ type: 'object', propertyNames })),
      one.map((each): JsonObject => ({ type: 'object', patternProperties: { '^a': each } })),
      fc.tuple(one, one, one).map(([a, b, c]): JsonObject => ({ if: a, then: b, else: c })),
      one.map((each): JsonObject => ({ ...each, unevaluatedProperties: false })),
      fc.tuple(fc.constantFrom('a', 'b'), reference, one).map(([kind, a, b]): JsonObject => ({
        type: 'object',
        properties: { kind: { const: kind }, a: { type: 'array', items: a }, b },
        required: ['kind'],
      })),
    ),
  };
});

/** Definitions that only refer to later ones directly, because a definition that is itself is refused. */
const definitions = fc
  .tuple(...NAMES.map(() => schema), fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }))
  .map((drawn) => {
    const later = drawn.at(-1) as boolean[];
    return Object.fromEntries(
      NAMES.map((name, index): [string, JsonValue] => {
        const own = drawn[index] as JsonObject;
        const next = NAMES[index + 1];
        if (next === undefined || later[index] !== true) return [name, own];
        return [name, { anyOf: [own, { $ref: `#/$defs/${next}` }] }];
      }),
    );
  });

const tools = fc
  .tuple(definitions, reference, schema)
  .map(([$defs, a, b]): JsonObject => ({ type: 'object', properties: { a, b }, $defs }));

it('what tools writes has no unused function, parameter or variable', async () => {
  const files: Record<string, string> = { ...supportFiles() };
  const drawn = fc.sample(tools, { numRuns: 300, seed: 14 });
  for (const [index, inputSchema] of drawn.entries()) {
    const { tools: read } = readTools([{ name: 'draw', inputSchema }]);
    const folder = `t${String(index)}`;
    files[`${folder}/types.ts`] = 'export type DrawInput = unknown;\n';
    files[`${folder}/validators.ts`] = emitToolValidators(read, './types.js');
  }
  expect(await compileWith('7.0', files)).toEqual([]);
});
