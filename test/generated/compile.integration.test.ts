import { expect, it } from 'vitest';
import { emitUnits, namedParts } from '../../generator/emit/index.js';
import { loadRevision, REVISIONS } from '../../generator/read/load/index.js';
import type { Revision } from '../../generator/read/load/index.js';
import { supportFiles } from '../support/emitted.js';
import { protocolOf } from '../support/protocol.js';
import { compileWith } from '../support/ts-compile.js';
import { compileAll, mutuallyAssignable } from './compile.js';

const namesOf = (revision: Revision): string[] => [
  ...loadRevision(revision).document.definitions.keys(),
];

// The long tests compile them with older compilers, which take several times as long.
it('TypeScript 7.0 compiles the code of all revisions with the strictest options, and the types that Zod infers and the generated ones are assignable to each other', async () => {
  const checks = REVISIONS.map(
    (revision) => [`${revision}/check.ts`, mutuallyAssignable(namesOf(revision))] as const,
  );
  expect(await compileAll('7.0', REVISIONS, Object.fromEntries(checks))).toEqual([]);
});

it('a type that Zod infers is not assignable if it differs', async () => {
  const files = {
    'types.ts': 'export type A = { a: string };',
    'zod.ts': "import * as z from 'zod';\nexport const ASchema: z.ZodType<{ a: number }> = z.any();",
    'check.ts': mutuallyAssignable(['A']),
  };
  expect(await compileWith('7.0', files)).toHaveLength(2);
});

const text = { type: 'string' };
const cat = {
  type: 'object',
  properties: { kind: { const: 'cat' }, lives: { type: 'number' } },
  required: ['kind'],
};
/** Definitions of which Zod says less than their validators. */
const COMPLETED = {
  Any: {},
  Cat: cat,
  Conditional: { ...cat, if: { required: ['lives'] }, then: {}, else: { required: ['age'] } },
  EmptyProperties: { type: 'object', properties: {} },
  Extended: {
    allOf: [{ $ref: '#/$defs/Cat' }, { type: 'object', additionalProperties: text }],
  },
  Inherited: { ...cat, required: ['kind', 'constructor'] },
  Never: { ...cat, allOf: [{ type: 'object', properties: { kind: false } }, text] },
  Nullable: { $ref: '#/$defs/Any', type: ['string', 'null'] },
  OneOfTwo: { ...cat, oneOf: [{ required: ['lives'] }, { required: ['age'] }] },
  Patterns: { type: 'object', patternProperties: { '^x-': text }, additionalProperties: false },
  Some: { $ref: '#/$defs/Text', enum: ['a', 'b'] },
  Text: text,
};

it('the types that Zod infers are assignable where a validator says more than the schema', async () => {
  const protocol = namedParts(protocolOf(COMPLETED));
  const units = await emitUnits(protocol, ['types', 'zod', 'validators']);
  const files = Object.fromEntries(units.map(({ path, text }) => [`own/${path}`, text]));
  const check = `${mutuallyAssignable(protocol.definitions.map(({ name }) => name))}
import { OneOfTwoSchema, TextSchema } from './zod.js';
export const more: string = OneOfTwoSchema.extend({ more: TextSchema }).parse({}).more;
`;
  const all = { ...supportFiles(), ...files, 'own/check.ts': check };
  expect(await compileWith('7.0', all)).toEqual([]);
});
