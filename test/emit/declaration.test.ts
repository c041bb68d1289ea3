import { describe, expect, it } from 'vitest';
import { formatDeclaration } from '../../generator/emit/format/declaration.js';
import { formatTypeScript } from '../../generator/emit/format/format.js';

/** A declaration of a name that Prettier's parser refuses, or takes. */
const declared = (type: string, name: string): string => `export type ${name} = ${type}\n`;

const members = (count: number, member: (index: number) => string): string =>
  `(${Array.from({ length: count }, (_, index) => member(index)).join(' | ')})`;

const text = (index: number): string => `'text${String(index)}'`;
/** A type so long that the line of `export type A = …;` has this length. */
const ofLength = (length: number): string => 'x'.repeat(length - 'export type A = ;'.length);

describe('a declaration', () => {
  it.each([
    'string',
    '(string | number)[]',
    "('a' | 'b-c' | 1 | -1.5 | null)",
    '(-1)',
    '(-1)[]',
    'Name[][]',
    "{\na?: string\n'b-c': Name[]\n0: (string | null)\n[k: string]: unknown\n}",
    '{\na: {\nb?: {\nc: boolean\n}[]\n}\nd?: string\n}[]',
    '{\n/**\n * A comment, {\n *\n * and its end.\n */\na: string\n}',
    members(60, text),
    members(50, (index) => `{ a: ${String(index)}; 'b-c': 'x' }`),
    `{\na?: ${members(50, text)}\n}`,
    ofLength(100),
  ])('is formatted as by Prettier, without parsing it: %j', async (type) => {
    const formatted = await formatDeclaration(declared(type, 'A'));
    expect(formatted).toBe(await formatTypeScript(declared(type, 'A')));
    expect(await formatDeclaration(declared(type, '1'))).toBe(
      formatted.replace('export type A', 'export type 1'),
    );
  });

  it.each([
    "'it’s'",
    '{ a: string }',
    '(string) & (number)',
    '[string, number?]',
    members(40, text),
    members(60, (index) => `'it\\'s ${String(index)}'`),
    members(60, (index) => `{ a: { b: ${String(index)} } }`),
    members(50, () => `'${'x'.repeat(100)}'`),
    `{\na?: [string]\nb: string\n}`,
    `(${ofLength(101)} | string)`,
  ])('is left to Prettier where its layout is not plain: %j', async (type) => {
    expect(await formatDeclaration(declared(type, 'A'))).toBe(
      await formatTypeScript(declared(type, 'A')),
    );
    await expect(formatDeclaration(declared(type, '1'))).rejects.toThrow(SyntaxError);
  });
});
