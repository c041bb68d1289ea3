import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runHere, type Result } from './in-process.js';

const SCHEMA = '{ "$defs": { "A": { "$ref": "https://example.com/other.json#/$defs/B" } } }';
const OTHER = '{ "$defs": { "B": { "type": "string" } } }';
const REF = ['--ref', 'https://example.com/other.json=other.json'];

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'mcp-codegen-cwd-'));
  writeFileSync(join(cwd, 'own.json'), SCHEMA);
  writeFileSync(join(cwd, 'other.json'), OTHER);
});
afterAll(() => rmSync(cwd, { recursive: true }));

const run = (argv: readonly string[]): Promise<Result> => runHere(argv, cwd);

it.each([
  [['generate', '--schema', 'own.json', '--out', 'out', ...REF]],
  [['check', '--out', 'out']],
  [['list', './own.json', ...REF]],
  [['diff', './own.json', './own.json', ...REF]],
  [['explore', '--schema', './own.json', '--out', 'page.html', ...REF]],
  [['explore', '--diff', 'own.json..own.json', '--out', 'page.html', ...REF]],
])('%s reads paths from the folder that Io names', async (argv) => {
  expect(await run(argv)).toMatchObject({
    code: 0,
    text: expect.not.stringContaining('Cannot read') as string,
  });
});

it('schema verify reads its file there, too', async () => {
  expect((await run(['schema', 'verify', 'own.json'])).text).not.toContain('Cannot read');
  expect(existsSync(join(cwd, 'out/own/types.ts'))).toBe(true);
});
