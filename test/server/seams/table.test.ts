import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = new URL('./', import.meta.url);
const readme = readFileSync(new URL('../../../runtime/server/sdk/README.md', folder), 'utf8');
const tests = readdirSync(folder)
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => readFileSync(new URL(file, folder), 'utf8'))
  .join('\n');

const rows = readme.split('\n').filter((line) => /^\|.*`[\w-]+\.ts`/.test(line));
const files = rows.flatMap((row) =>
  [...row.matchAll(/`([\w-]+\.ts)`/g)].map(([, file = '']) => file),
);

it('runtime/server/sdk/README.md lists the seams', () => {
  expect(rows.length).toBeGreaterThan(10);
});

it.each([...new Set(files)])('a test of this folder tries the seam of %s', (file) => {
  expect(tests).toContain(file);
});
