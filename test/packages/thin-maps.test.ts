import { decode } from '@jridgewell/sourcemap-codec';
import { expect, it } from 'vitest';
import ts from 'typescript';
import { thinned } from '../../scripts/packages/thin-maps.js';

const SOURCE =
  'export const a: number = 1;\n\nexport function b(c: string): string {\n  return c + a;\n}\n';

function mapOf(source: string): string {
  const compilerOptions = { sourceMap: true, inlineSources: true, target: ts.ScriptTarget.ES2022 };
  return ts.transpileModule(source, { compilerOptions }).sourceMapText ?? '';
}

const linesOf = (text: string): (number | undefined)[] =>
  decode((JSON.parse(text) as { mappings: string }).mappings).map((line) => line[0]?.[2]);

it('leads each line to the line of the source as before, in less space', () => {
  const full = mapOf(SOURCE);
  const thin = thinned(full);
  expect(linesOf(thin)).toEqual(linesOf(full));
  expect(thin.length).toBeLessThan(full.length);
  expect(JSON.parse(thin)).toMatchObject({ sourcesContent: [SOURCE] });
  expect(thinned(thin)).toBe(thin);
});
