import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** Runs the README's quick start, in an empty folder, as a user does who has installed the tool. */

const root = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;

function sh(script: string): { readonly status: number | null; readonly stdout: string } {
  const ended = spawnSync('sh', ['-e', '-c', script], { cwd: folder, encoding: 'utf8' });
  expect(ended.status, `${script}\n${ended.stdout}${ended.stderr}`).toBe(0);
  return ended;
}

/** The blocks of a section: commands, each followed by what their last one prints. */
function blocksOf(section: string): string[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, after = ''] = readme.split(`\n## ${section}\n`);
  const [text = ''] = after.split('\n## ');
  return [...text.matchAll(/^```\w*\n([^]*?)^```$/gm)].map(([, block = '']) => block);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-quick-start-'));
  const vendor = join(root, 'dist/vendor');
  const tool = readdirSync(vendor).find((name) => /^mcp-codegen-\d/.test(name)) ?? '';
  sh(`npm init --yes --silent && npm install --no-audit --no-fund '${join(vendor, tool)}'`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the quick start of the README prints what it says', () => {
  const blocks = blocksOf('Quick start');
  expect(blocks).toHaveLength(4);
  const [first, printed = '', second, printedByOwn = ''] = blocks;
  expect(sh(first ?? '').stdout.endsWith(printed)).toBe(true);
  expect(sh(`cd my-client\n${second ?? ''}`).stdout.endsWith(printedByOwn)).toBe(true);
});
