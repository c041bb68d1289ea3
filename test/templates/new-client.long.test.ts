import { execFile } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BIN } from '../cli/process.js';
import { APP } from '../server/process.js';

const nodeModules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const node = (args: readonly string[], cwd?: string): Promise<{ stdout: string }> =>
  promisify(execFile)(process.execPath, args, { encoding: 'utf8', cwd });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-new-client-'));
  symlinkSync(nodeModules, join(folder, 'node_modules'), 'junction');
});
afterAll(() => rmSync(folder, { recursive: true }));

const project = (...path: string[]): string => join(folder, 'shop-client', ...path);
const cli = async (cwd: string, ...args: string[]): Promise<{ code: number; output: string }> => {
  try {
    const { stdout } = await node([BIN, ...args], cwd);
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, output: stdout };
  }
};

// client-combinations checks the types of its tests.
it('makes a client that builds, is linted, and passes its tests', async () => {
  const made = await cli(
    folder,
    'new',
    'client',
    'shop-client',
    '--name',
    '@acme/shop-client',
    '--yes',
  );
  expect(made.code).toBe(0);
  expect(made.output).toContain('npx mcp-codegen new client shop-client --name @acme/shop-client');
  expect(JSON.parse(readFileSync(project('package.json'), 'utf8'))).toMatchObject({
    name: '@acme/shop-client',
    bin: { 'shop-client': 'dist/main.js' },
  });
  const cwd = project();
  await node([join(nodeModules, 'typescript/bin/tsc'), '-p', 'tsconfig.build.json'], cwd);
  await node([join(nodeModules, 'eslint/bin/eslint.js'), '.'], cwd);
  await node([join(nodeModules, 'vitest/vitest.mjs'), 'run'], cwd);
});

it('calls a tool as a task, once built', async () => {
  const server = ['--', APP.command, ...APP.args, 'stdio'];
  const args = [
    project('dist/main.js'),
    'call',
    'wait',
    'ms:=10',
    '--state',
    join(folder, 'state'),
  ];
  const { stdout } = await node([...args, ...server]);
  expect(stdout).toBe('waited 10 ms\n');
});

it('is kept up to date without losing what was changed', async () => {
  const cwd = project();
  appendFileSync(project('src/main.ts'), '// mine\n');
  expect(await cli(cwd, 'update')).toMatchObject({ code: 0 });
  expect(readFileSync(project('src/main.ts'), 'utf8')).toContain('mine');
});
