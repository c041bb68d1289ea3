import { expect, it } from 'vitest';
import { compareTypes } from './assignable.js';

const source = (text: string): { entry: string; files: Record<string, string> } => ({
  entry: 'types.ts',
  files: { 'types.ts': text },
});

it('lists the types that are not assignable, and in which direction', async () => {
  const ours = source(`
    export type Same = { a: string; b?: 1 };
    export type Wider = { a: string | number };
    export type Narrower = 'x';
    export type Loose = { a?: string | undefined };
    export type Anything = any;
    export type Mine = 1;
    export const value: number = 1;
    type Hidden = 1;
    export type Shown = Hidden;
  `);
  const theirs = source(`
    export interface Same { b?: 1; a: string }
    export interface Wider { a: string }
    export type Narrower = 'x' | 'y';
    export interface Loose { a?: string }
    export type Anything = { a: string };
    export type Theirs = 1;
    type Hidden = 2;
    export type Shown = 1;
  `);
  const comparison = await compareTypes('7.0', ours, theirs);
  expect(comparison.compared).toEqual(['Same', 'Wider', 'Narrower', 'Loose', 'Anything', 'Shown']);
  expect(comparison.mismatches.map(({ name, fault }) => `${name}: ${fault}`)).toEqual([
    'Wider: ours is not theirs',
    'Narrower: theirs is not ours',
    'Loose: ours is not theirs',
    'Anything: ours is any',
  ]);
  expect(comparison.onlyOurs).toEqual(['Mine']);
  expect(comparison.onlyTheirs).toEqual(['Theirs']);
});

it('compares re-exported types', async () => {
  const theirs = {
    entry: 'all.ts',
    files: { 'all.ts': "export type * from './one.js';", 'one.ts': 'export type It = 1;' },
  };
  expect(await compareTypes('7.0', source('export type It = 1;'), theirs)).toMatchObject({
    compared: ['It'],
    mismatches: [],
  });
});

it('refuses to compare modules that do not compile', async () => {
  const broken = source('export type It = Missing;');
  await expect(compareTypes('7.0', broken, source('export type It = 1;'))).rejects.toThrow(
    /^Not comparable: ours\/types\.ts\(1,18\): error TS2304/,
  );
});
