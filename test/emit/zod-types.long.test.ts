import { expect, it } from 'vitest';
import { emitUnits, namedParts } from '../../generator/emit/index.js';
import { REVISIONS } from '../../generator/read/load/index.js';
import { revisionOf, supportFiles } from '../support/emitted.js';
import { protocolOf } from '../support/protocol.js';
import { compileWith } from '../support/ts-compile.js';

/** As `support/zod.ts`, but the compiler infers what each function makes, and compares it with what is declared. */
const INFERRING = `import * as z from 'zod';
export type { AnyObject, Lazy, LooseObject, RecordObject, StrictObject, Typed } from './declared.js';
export { atLeast, atMost, checked, integer, verdictBy } from './declared.js';
type Shape = z.core.$ZodLooseShape;
export declare function loose<S extends Shape>(shape: S): z.ZodObject<S, z.core.$loose>;
export declare function strict<S extends Shape>(shape: S): z.ZodObject<S, z.core.$strict>;
export declare function record<V extends z.core.SomeType, S extends Shape>(value: V, shape: S): z.ZodObject<S, z.core.$catchall<V>>;
export declare function union<const T extends readonly z.core.SomeType[]>(members: T): z.ZodUnion<T>;
export declare function discriminated<const D extends string, const T extends readonly z.core.SomeType[]>(property: D, members: T): z.ZodDiscriminatedUnion<T, D>;
export declare function both<L extends z.core.SomeType, R extends z.core.SomeType>(left: L, right: R): z.ZodIntersection<L, R>;
export declare function made<T>(schema: T): T;
export declare function guarded<T>(schema: z.ZodType, validate: unknown): T;
`;

const OPEN = {
  type: 'object',
  properties: {
    constructor: { type: 'string' },
    text: { anyOf: [{ type: 'string' }, { const: 'a' }] },
    flag: { enum: [true, false] },
    list: { type: 'array', items: { $ref: '#/$defs/Named' } },
    not: { not: { type: 'string' } },
  },
  required: ['list'],
};

const PROTOCOLS = [
  ...REVISIONS.map((revision) => ({ name: revision, protocol: revisionOf(revision).protocol })),
  {
    name: 'drawn',
    protocol: namedParts(
      protocolOf({
        Open: OPEN,
        Closed: { ...OPEN, additionalProperties: false },
        Named: { type: 'object', properties: { a: {} }, additionalProperties: { type: 'number' } },
        Both: { allOf: [{ $ref: '#/$defs/Open' }, { properties: { more: { type: 'string' } } }] },
      }),
    ),
  },
];

it('the types that schemas are declared to have are those that the compiler infers', async () => {
  const { 'support/zod.ts': zod = '', ...support } = supportFiles();
  const files: Record<string, string> = {
    ...support,
    'support/zod.ts': INFERRING,
    'support/declared.ts': zod,
  };
  for (const { name, protocol } of PROTOCOLS) {
    for (const { path, text } of await emitUnits(protocol, ['types', 'zod'])) {
      // Its type would be its own.
      const lazy = /z\.lazy\(\(\): z\.core\.SomeType => (\w+)Schema\)/g;
      const known = '({} as Lazy<types.$1, { schema: typeof $1Schema }>)';
      files[`${name}/${path}`] = text.replaceAll(lazy, known);
    }
  }
  expect(await compileWith('6.0', files)).toEqual([]);
});
