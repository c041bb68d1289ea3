import { describe, expect, it } from 'vitest';
import { compileWith, typeScriptVersions } from './ts-compile.js';

const schema = `import * as z from 'zod';
export const named: z.ZodObject<{ name: z.ZodString }> = z.object({ name: z.string() });
`;

describe.each(typeScriptVersions)('TypeScript %s', (version) => {
  it('compiles files that import each other and a dependency', async () => {
    const files = {
      'lib/schema.ts': schema,
      'main.ts': `import { named } from './lib/schema.js';
export const name: string = named.parse({ name: 'x' }).name;
`,
    };
    expect(await compileWith(version, files)).toEqual([]);
  });

  it('reports the errors of each strict option', async () => {
    const files = {
      'loose.ts': `export const guessed = [1].map(String);
const optional: { a?: 1 } = { a: undefined };
const element: number = [1][0];
const implied: unknown = (value) => [value, optional, element];
import { Type } from './type.js';
export type Again = [Type, typeof implied];
`,
      'type.ts': 'export type Type = 1;\n',
    };
    const diagnostics = await compileWith(version, files);
    const found = diagnostics.map((text) => /^loose\.ts\((\d+),\d+\): error (TS\d+)/.exec(text));
    expect(found.map((match) => match?.slice(1).join(' '))).toEqual([
      '1 TS9010',
      '2 TS2375',
      '3 TS2322',
      '4 TS7006',
      '5 TS1484',
    ]);
  });

  it('accepts options', async () => {
    const files = { 'guess.ts': 'export const guessed = [1].map(String);\n' };
    expect(await compileWith(version, files, { isolatedDeclarations: false })).toEqual([]);
  });

  it('reports an option that the compiler refuses', async () => {
    const diagnostics = await compileWith(version, { 'a.ts': 'export {};\n' }, { target: 'es1' });
    expect(diagnostics.join()).toContain('TS6046');
  });
});
