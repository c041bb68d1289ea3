import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { packFolder } from '../../generator/read/load/index.js';
import { OUTPUTS } from '../../scripts/up-to-date.js';
import { root, VERSION } from './packed.js';

const VENDOR = join(root, 'dist/vendor');
const tarballs = readdirSync(VENDOR);
const listed = (name: string): string[] =>
  execFileSync('tar', ['-tzf', join(VENDOR, name)], { encoding: 'utf8' })
    .trim()
    .split('\n');

it('are those of both packages', () => {
  expect(tarballs.map((name) => name.replace(/-\d.*/, ''))).toEqual([
    'mcp-codegen',
    'mcp-codegen-runtime',
  ]);
});

it.each(tarballs)('%s has no scripts of the repository', (name) => {
  const text = execFileSync('tar', ['-xzOf', join(VENDOR, name), 'package/package.json']);
  const manifest = JSON.parse(text.toString()) as object;
  expect(manifest).toHaveProperty('version', VERSION);
  expect(manifest).not.toHaveProperty('scripts');
});

it('contain only what a build makes again when it is deleted', () => {
  const [tool = ''] = tarballs;
  const built = listed(tool).flatMap((path) => /^package\/(dist\/[^/]+)/.exec(path)?.[1] ?? []);
  const isWatched = (entry: string): boolean =>
    OUTPUTS.some((output) => output === entry || output.startsWith(`${entry}/`));
  expect([...new Set(built)].filter((entry) => !isWatched(entry))).toEqual([]);
});

/** The package in a tarball, as package managers install it. */
function unpack(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-tarballs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  execFileSync('tar', ['-xzf', join(VENDOR, name), '-C', folder]);
  return join(folder, 'package');
}

it.each(tarballs)('%s is made again, under its name, from where it was installed', (name) => {
  const installed = unpack(name);
  mkdirSync(join(installed, 'node_modules/.bin'), { recursive: true });
  const { fileName, bytes } = packFolder(installed);
  expect(fileName).toBe(name);
  expect(readFileSync(join(VENDOR, name)).equals(bytes)).toBe(true);
});

it.each(tarballs)('pages of %s link to files that it has', (name) => {
  const installed = unpack(name);
  const pages = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.md') && !path.startsWith('templates'),
  );
  expect(pages.length).toBeGreaterThan(0);
  const dead = pages.flatMap((page) => {
    const text = readFileSync(join(installed, page), 'utf8').replaceAll(/^```[^]*?^```/gm, '');
    return [...text.matchAll(/\]\(([^)\s#:]+)[)#]/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(join(installed, dirname(page), target)))
      .map((target) => `${page}: ${target}`);
  });
  expect(dead).toEqual([]);
});
