import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

const repository = fileURLToPath(new URL('../..', import.meta.url));

describe('the package, as npm would publish it', () => {
  /** Where it is installed, and where projects are made: they cannot see one another. */
  let folder: string;
  let elsewhere: string;
  let bin: string;
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-codegen-packed-')));
    elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-codegen-installed-')));
    bin = join(folder, 'node_modules', '.bin', 'mcp-codegen');
    const pack = ['pack', '--silent', '--pack-destination', folder];
    execFileSync('npm', pack, { cwd: repository });
    const [tarball = ''] = readdirSync(folder);
    execFileSync('npm', ['init', '--yes', '--silent'], { cwd: folder });
    const install = ['install', '--no-audit', '--no-fund', join(folder, tarball)];
    execFileSync('npm', install, { cwd: folder });
  });
  afterAll(() => [folder, elsewhere].forEach((each) => rmSync(each, { recursive: true })));

  /** A step of those that are printed, in a shell. */
  function step(command: string, cwd: string): void {
    const { status, stdout, stderr } = spawnSync(command, { cwd, shell: true, encoding: 'utf8' });
    expect(status, `${command}\n${stdout}${stderr}`).toBe(0);
  }

  it('makes a server, which installs, lints, passes its tests, builds and starts', async () => {
    const name = 'stdio-sqlite';
    const flags = ['--store', 'sqlite', '--dialects', 'core', '--revisions', '2025-11-25'];
    const words = ['new', 'server', name, '--yes', '--json', '--pm', 'npm', ...flags];
    const made = spawnSync(bin, words, { cwd: elsewhere, encoding: 'utf8' });
    expect(made.status, made.stdout + made.stderr).toBe(0);
    const { nextSteps } = JSON.parse(made.stdout) as { nextSteps: string[] };
    const root = join(elsewhere, name);
    for (const each of nextSteps.slice(1, -1)) step(each, root);
    step('npm run types && npm run lint', root);
    step('npx --no-install mcp-codegen new tool look-up', root);
    step(`npm test -- test/look-up.test.ts && npx --no-install mcp-codegen update`, root);
    step(`${bin} update && npm install --no-audit --no-fund`, root);

    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ['dist/main.js'],
      cwd: root,
      stderr: 'ignore',
    });
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(transport);
    onTestFinished(() => client.close());
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(4);
  });
});
