import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { main } from '../../generator/cli/main.js';
import type { Io, Stream } from '../../generator/cli/io.js';
import { PLAIN } from '../../generator/diagnostics/index.js';

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

async function run(argv: readonly string[]): Promise<{ code: number; text: string }> {
  const texts: string[] = [];
  const stream: Stream = {
    write: (text) => void texts.push(text),
    paint: PLAIN,
    width: 80,
    canRedraw: false,
    drained: () => Promise.resolve(),
  };
  const input: Io['input'] = () => {
    throw new Error('The command reads no input.');
  };
  const io: Io = {
    ...{
      out: stream,
      err: stream,
      input,
      pipes: input as never,
      cwd,
      terminal: undefined,
      env: {},
    },
    onInterrupt: () => () => undefined,
  };
  const code = await main(argv, io);
  return { code, text: texts.join('') };
}

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
