import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { npm } from '../../scripts/npm.js';
import { runBlocks } from '../docs/run-shell.js';
import { shellBlocksIn } from '../docs/shell.js';
import { snippetsIn } from '../docs/snippets.js';
import { root, VERSION } from '../packages/packed.js';
import { startRegistry } from '../support/registry.js';
import type { Registry } from '../support/registry.js';

/** Publishes the packages to a registry of this test, and uses them from there by name, as after a release. */

const PACKAGES = ['@mcp-codegen/runtime', 'mcp-codegen', 'create-mcp-codegen'];

const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-published-'));
let registry: Registry;

/** Not `execFileSync`, during which the registry of this process would not answer. */
const run = promisify(execFile);

/** `--provenance=false` is an option, because a package's own settings are stronger than variables. */
const publish = (...options: string[]) =>
  // Not `npx`: its shell drops the variable with the token, whose name contains slashes.
  run(process.execPath, ['--import', 'tsx', 'scripts/packages/release.ts', ...options], {
    cwd: root,
    env: { ...process.env, ...registry.env },
  });

beforeAll(async () => {
  const upstream = npm(['config', 'get', 'registry'], { cwd: folder, stdio: 'pipe' }).trim();
  registry = await startRegistry(upstream);
}, 120_000);

afterAll(async () => {
  await registry.close();
  // Three projects with their packages, which a busy machine removes slowly.
  rmSync(folder, { recursive: true, force: true });
}, 600_000);

const reader = () => ({
  folder,
  // A cache of its own, because that of this machine may have these versions with other contents.
  env: { ...registry.env, npm_config_cache: join(folder, '.npm'), npm_config_yes: 'true' },
});

/** The shell blocks between two headings of README.md. */
function blocksBetween(from: string, to: string) {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const text = readme.slice(readme.indexOf(`\n## ${from}`), readme.indexOf(`\n## ${to}`));
  return shellBlocksIn(snippetsIn('README.md', text));
}

const readJson = (path: string): unknown =>
  JSON.parse(readFileSync(join(folder, path), 'utf8')) as unknown;

describe('the packages of a registry', () => {
  it('are published once, each after those that it needs', async () => {
    await publish('--dry-run');
    expect(registry.published).toEqual([]);
    await publish('--provenance=false');
    const all = PACKAGES.map((name) => `${name}@${VERSION}`);
    expect(registry.published).toEqual(all);
    await publish('--provenance=false');
    expect(registry.published).toEqual(all);
  });

  it('install as README.md says, and make a project that depends on their versions', async () => {
    const [released] = blocksBetween('Install', 'You have an idea').filter(({ steps }) =>
      steps.some(({ script }) => script.includes('npm install --save-dev mcp-codegen')),
    );
    expect(released?.reason).toContain('published.long.test.ts');
    writeFileSync(join(folder, 'package.json'), '{"name":"reader","private":true}');
    await runBlocks(released ? [released] : [], folder, reader());
    expect(registry.downloaded).toEqual(new Set(registry.published));
    expect(existsSync(join(folder, 'node_modules/mcp-codegen/dist/vendor'))).toBe(false);
    expect(readJson('shop/package.json')).toMatchObject({
      dependencies: { '@mcp-codegen/runtime': `^${VERSION}` },
      devDependencies: { 'mcp-codegen': `^${VERSION}` },
    });
    expect(existsSync(join(folder, 'shop/vendor'))).toBe(false);
    expect(readFileSync(join(folder, 'shop/Dockerfile'), 'utf8')).not.toContain('vendor');
  });

  it('run the quick start of README.md word for word', async () => {
    const blocks = blocksBetween('You have an idea', 'You have a server');
    expect(blocks.length).toBeGreaterThan(1);
    await runBlocks(blocks, folder, reader());
    for (const project of ['my-server', 'my-client']) {
      const installed = `${project}/node_modules/@mcp-codegen/runtime/package.json`;
      expect(readJson(installed)).toMatchObject({ version: VERSION });
    }
  });

  it('run by name and version, and update a project from tarballs to versions', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    writeFileSync(join(empty, 'package.json'), '{"name":"empty","private":true}');
    const cli = join(root, 'dist/cli/bin.js');
    execFileSync(process.execPath, [cli, 'new', 'client', 'old', '--yes'], { cwd: empty });
    const vendored = join(empty, 'old/vendor');
    expect(existsSync(vendored)).toBe(true);
    const tool = `npx mcp-codegen@${VERSION}`;
    const script = `${tool} --version\ncd old\n${tool} update\n`;
    const step = { script, mayFail: false, printed: `${VERSION}\n...\n` };
    await runBlocks([{ place: 'by version', steps: [step] }], empty, reader());
    expect(existsSync(vendored)).toBe(false);
    expect(readJson('empty/old/package.json')).toMatchObject({
      dependencies: { '@mcp-codegen/runtime': `^${VERSION}` },
      devDependencies: { 'mcp-codegen': `^${VERSION}` },
    });
  });
});
