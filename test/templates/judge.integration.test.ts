import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkTypes, judge } from './judge.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const SETTINGS = '{ "compilerOptions": { "strict": true, "types": [], "skipLibCheck": true } }';
const LINTED = `import tseslint from 'typescript-eslint';
export default [
  { files: ['**/*.ts'], ...tseslint.configs.base },
  { files: ['**/*.ts'], rules: { '@typescript-eslint/no-floating-promises': 'error' } },
];
`;

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-codegen-judge-')));
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'), 'junction');
});
afterAll(() => rmSync(folder, { recursive: true }));

function project(name: string, text: string, settings = SETTINGS): string {
  const root = join(folder, name);
  mkdirSync(root);
  writeFileSync(join(root, 'tsconfig.json'), settings);
  writeFileSync(join(root, 'eslint.config.js'), LINTED);
  writeFileSync(join(root, 'it.ts'), text);
  return root;
}

it('finds what is wrong with each of several projects', async () => {
  const right = project('right', 'export const a: number = 1;');
  const wrong = project('wrong', "export const a: number = 'a';");
  const floating = project('floating', 'export const a = (b: Promise<void>): void => {\n  b;\n};');
  const judged = await judge([right, wrong, floating]);
  expect(judged.checkTypes(right)).toEqual([]);
  expect(judged.checkTypes(wrong)).toEqual([expect.stringContaining('it.ts: Type')]);
  expect(judged.checkTypes(floating)).toEqual([]);
  expect(judged.lint(right)).toEqual([]);
  expect(judged.lint(floating)).toEqual([expect.stringContaining('it.ts:2 Promises must')]);
  expect(() => judged.lint(folder)).toThrow('not linted');
  expect(checkTypes(wrong)).toHaveLength(1);

  const other = project('other', 'export {};', SETTINGS.replace('true', 'false'));
  await expect(judge([right, other])).rejects.toThrow('tsconfig.json');
});
