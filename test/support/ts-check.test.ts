import { expect, it } from 'vitest';
import { checkTypes } from './ts-check.js';

it('the check of types finds what a compiler refuses, in the files that are asked for', () => {
  const files = {
    'a/good.ts': "import type { Wrong } from './wrong.js';\nexport const it: Wrong = { a: [1] };\n",
    'a/wrong.ts': 'export type Wrong = { a: number[] };\nexport const it: Wrong = { a: 1 };\n',
    'b/unused.ts': "import { it } from '../a/good.js';\n",
  };
  expect(checkTypes(files, (path) => path === 'a/good.ts')).toEqual([]);
  expect(checkTypes(files, () => true)).toEqual([
    "a/wrong.ts(2): TS2322: Type 'number' is not assignable to type 'number[]'.",
    "b/unused.ts(1): TS6133: 'it' is declared but its value is never read.",
  ]);
});
