import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

function linesBelow(folder: string): number {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/node_modules|\bdist\b/.test(entry.parentPath))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8').split('\n').length - 1)
    .reduce((all, lines) => all + lines, 0);
}

it('the templates and what makes projects of them take at most 5,000 lines', () => {
  const lines = linesBelow('templates') + linesBelow('generator/scaffold');
  expect(lines).toBeGreaterThan(1_000);
  expect(lines).toBeLessThanOrEqual(5_000);
});
