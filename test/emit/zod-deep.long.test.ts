import { expect, it } from 'vitest';
import { compileWith } from '../support/ts-compile.js';
import { allOf, drawnDefinitions } from './drawn.js';
import { deepFiles } from './zod-paths.js';
import { unionsOf } from './zod-unions.js';

it('unions of 1,000 objects compile', async () => {
  expect(await compileWith('7.0', await deepFiles(unionsOf(1_000)))).toEqual([]);
});

it.each(['5.9', '6.0'] as const)(
  'TypeScript %s, too, compiles unions and drawn schemas',
  async (version) => {
    const definitions = { ...unionsOf(8, 64), ...allOf(drawnDefinitions(250, 54)) };
    expect(await compileWith(version, await deepFiles(definitions))).toEqual([]);
  },
);
