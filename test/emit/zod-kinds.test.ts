import fc from 'fast-check';
import { expect, it } from 'vitest';
import { declarationsOf, typesOf } from '../../generator/emit/types/emit-types.js';
import { plainTypeOf } from '../../generator/emit/zod/field.js';
import type { JsonSchema } from '../../json-schema/index.js';
import { protocolOf } from '../support/protocol.js';
import { sized } from '../support/size.js';
import { checkTypes } from '../support/ts-check.js';

const NAMED: Readonly<Record<string, JsonSchema>> = {
  Any: {},
  Never: false,
  Text: { type: 'string' },
  Yes: { const: true },
  Flag: { enum: [true, false] },
};

const leaf = fc.constantFrom<JsonSchema>(
  ...[{ type: 'string' }, { type: 'number' }, { type: 'integer' }, { type: 'boolean' }],
  ...[{ const: 'a' }, { const: 1 }, { const: true }, { const: false }, { enum: [true, false] }],
  ...[{ enum: ['a', 'b'] }, { enum: ['a', 1] }, { type: 'null' }, { type: 'object' }],
  ...Object.keys(NAMED).map((name) => ({ $ref: `#/$defs/${name}` })),
);

const drawn = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 2 },
    leaf,
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map((allOf) => ({ allOf })),
  ),
})).schema;

/** The schema type of Zod whose values have a type. */
const PLAIN = `export type Plain<T> =
  unknown extends T ? 'z.ZodUnknown'
  : [T] extends [never] ? undefined
  : [T] extends [string] ? ([string] extends [T] ? 'z.ZodString' : undefined)
  : [T] extends [number] ? ([number] extends [T] ? 'z.ZodNumber' : undefined)
  : [T] extends [boolean] ? ([boolean] extends [T] ? 'z.ZodBoolean' : undefined)
  : undefined;
`;

it('a type that the compiler reduces to a plain one is known as such', async () => {
  const schemas = fc.sample(drawn, { numRuns: sized(1_500), seed: 48 });
  const { definitions } = typesOf(
    protocolOf({
      ...NAMED,
      ...Object.fromEntries(schemas.map((schema, index) => [`S${String(index)}`, schema])),
    }).definitions,
  );
  const typed = new Map(definitions.map((each) => [each.name, each]));
  const kinds = definitions.map(({ name, node }) => [name, plainTypeOf(node, typed)] as const);
  const lines = kinds.map(
    ([name, kind]) =>
      `(): Plain<types.${name}> => ${kind === undefined ? 'undefined' : `'${kind}'`},\n`,
  );
  const files = {
    'types.ts': await declarationsOf(definitions),
    'kinds.ts': `import type * as types from './types.js';\n${PLAIN}export const kinds: readonly unknown[] = [\n${lines.join('')}];\n`,
  };
  expect(checkTypes(files, () => true)).toEqual([]);
  expect(new Set(kinds.map(([, kind]) => kind)).size).toBe(5);
});
