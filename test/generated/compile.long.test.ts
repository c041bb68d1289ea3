import { expect, it } from 'vitest';
import { REVISIONS } from '../../generator/read/load/index.js';
import { compileAll } from './compile.js';

it.each(['5.9', '6.0'] as const)(
  'TypeScript %s compiles the code of all revisions with the strictest options',
  async (version) => expect(await compileAll(version, REVISIONS)).toEqual([]),
);
