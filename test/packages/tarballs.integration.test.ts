import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root, VERSION } from './packed.js';

const VENDOR = join(root, 'dist/vendor');
const tarballs = readdirSync(VENDOR);

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
