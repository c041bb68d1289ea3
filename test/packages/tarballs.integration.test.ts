import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
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
